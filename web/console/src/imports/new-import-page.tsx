import type { ImportJob, ImportReport, Survey } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../session/session.tsx';
import { SurveyTitleById } from '../surveys/survey-name.tsx';
import { SurveyPicker } from '../surveys/survey-picker.tsx';
import { Button } from '../ui/button.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNotice, QueryView } from '../ui/states.tsx';
import { FileField } from './file-field.tsx';
import { ImportDetails } from './import-details.tsx';
import { useImportForm } from './import-form.ts';
import { useImport } from './import-list-page.tsx';
import { ImportMapping } from './import-mapping.tsx';
import { describeDryRun } from './import-report.tsx';
import {
  allowedTargets,
  type ImportSettings,
  sourceLabel,
  type Target,
  toResponsesQuery,
  toSurveyQuery,
} from './import-settings.ts';
import { SettingsFields } from './settings-fields.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './uploads.tsx';

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

interface ImportStart {
  readonly file: File;
  readonly target: Target;
  /** The survey that gets the responses. Not used for imports of surveys. */
  readonly surveyId: string;
  readonly settings: ImportSettings;
  readonly isDryRun: boolean;
}

/**
 * Starts imports by uploading their files. A start that is repeated after an error has the same idempotency key, so
 * nothing is stored twice. The list of uploads shows progress and errors.
 */
export function useStartImport() {
  const { run } = useUploads();
  const queryClient = useQueryClient();
  const sendOnce = useIdempotency();
  const [isUploading, setUploading] = useState(false);

  /** Returns the id of the import; undefined if it could not be started. */
  async function start({ file, target, surveyId, settings, isDryRun }: ImportStart): Promise<string | undefined> {
    const { name, size, lastModified } = file;
    const content = { name, size, lastModified, target, surveyId, settings, isDryRun };
    setUploading(true);
    try {
      const reply = await run(file, (client, signal) =>
        sendOnce<Survey | ImportReport | ImportJob>(content, (idempotencyKey) => {
          const options = { idempotencyKey, prefer: 'respond-async', signal };
          return target === 'survey'
            ? client.imports.importSurvey(file, toSurveyQuery(settings, isDryRun), options)
            : client.imports.importResponses(surveyId, file, toResponsesQuery(settings, isDryRun), options);
        }),
      );
      if (reply !== undefined) await queryClient.invalidateQueries({ queryKey: ['imports'] });
      return reply && idOf(reply);
    } finally {
      setUploading(false);
    }
  }

  return { isUploading, start };
}

/** The id of the import in the reply: the job, the report, or the survey with its report. */
function idOf(reply: Survey | ImportReport | ImportJob): string | undefined {
  if ('definition' in reply) return reply.import?.id;
  return reply.id;
}
