import { Link } from '@tanstack/react-router';
import { useCan } from '../session/session.tsx';
import { SurveyTitleById } from '../surveys/survey-name.tsx';
import { SurveyPicker } from '../surveys/survey-picker.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNotice, QueryView } from '../ui/states.tsx';
import { FileField } from './file-field.tsx';
import { ImportDetails } from './import-details.tsx';
import { useImportForm } from './import-form.ts';
import { ImportMapping } from './import-mapping.tsx';
import { describeDryRun } from './import-report.tsx';
import { allowedTargets, sourceLabel, type Target } from './import-settings.ts';
import { useImport } from './import-state.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { UploadList } from './upload-list.tsx';

const TARGETS: Readonly<Record<Target, string>> = {
  survey: 'A new survey',
  responses: 'Responses of an existing survey',
};

/** The form of a new import: target, file, guessed source and format, options, columns and dry run. */
export function NewImportPage() {
  const targets = allowedTargets(useCan());
  return (
    <Page
      title="New import"
      breadcrumbs={[
        <Link key="list" to="/imports">
          Imports
        </Link>,
      ]}
    >
      {targets.length === 0 ? <Empty title="You may not import anything." /> : <ImportForm targets={targets} />}
    </Page>
  );
}

function ImportForm({ targets }: { readonly targets: readonly Target[] }) {
  const can = useCan();
  const { form, settings, guess, plan, change, begin, isUploading, isComplete, dryRunId, isOutdated } =
    useImportForm(targets);
  const { target, file, surveyId } = form;

  return (
    <div className="stack">
      <fieldset className="fieldset">
        <legend>Import</legend>
        {targets.map((value) => (
          <label key={value} className="checkbox">
            <input type="radio" name="target" checked={target === value} onChange={() => change({ target: value })} />
            {TARGETS[value]}
          </label>
        ))}
        {target === 'responses' && surveyId !== '' && (
          <p>
            Into <SurveyTitleById surveyId={surveyId} />
          </p>
        )}
        {target === 'responses' && can('surveys:read') && (
          <SurveyPicker
            label={surveyId === '' ? 'Survey' : 'Another survey'}
            onChoose={({ id }) => change({ surveyId: id })}
          />
        )}
      </fieldset>
      <FileField value={file} onChange={(chosen) => change({ file: chosen })} />
      {file !== undefined && (
        <>
          {guess !== undefined && (
            <p>
              The file looks like:{' '}
              <strong>
                {sourceLabel(guess.source)}, {guess.format.toUpperCase()}
              </strong>
              . Check it with a dry run, and correct it if it is wrong.
            </p>
          )}
          {plan.error !== null && <ErrorNotice error={plan.error} />}
          <SettingsFields target={target} settings={settings} onChange={(next) => change({ settings: next })} />
          {plan.data !== undefined && (
            <ImportMapping plan={plan.data} settings={settings} onChange={(next) => change({ settings: next })} />
          )}
          {!isUploading && (
            <div className="row">
              <Button
                variant={dryRunId === undefined ? 'primary' : undefined}
                isDisabled={!isComplete || plan.isLoading}
                onPress={() => void begin(true)}
              >
                Check with a dry run
              </Button>
              <Button
                variant={dryRunId === undefined ? undefined : 'primary'}
                isDisabled={!isComplete || plan.isLoading}
                onPress={() => void begin(false)}
              >
                Start the import
              </Button>
              {!isComplete && <span className="soft">Choose the survey first.</span>}
            </div>
          )}
        </>
      )}
      <UploadList />
      {isOutdated && (
        <div className="notice" data-tone="warn" role="alert">
          <p>You changed the file or the settings during the upload. Check again.</p>
        </div>
      )}
      {dryRunId !== undefined && <DryRun key={dryRunId} importId={dryRunId} />}
    </div>
  );
}

function DryRun({ importId }: { readonly importId: string }) {
  const { query, samples } = useImport(importId);
  return (
    <section className="stack" aria-labelledby="dry-run">
      <h2 id="dry-run">Dry run</h2>
      <QueryView query={query}>
        {(item) => (
          <>
            <p role="status">{describeDryRun(item)}</p>
            <ImportDetails item={item} samples={samples} />
          </>
        )}
      </QueryView>
    </section>
  );
}
