import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCan } from '../session/session.tsx';
import { SurveyName } from '../surveys/survey-name.tsx';
import { SurveyPicker } from '../surveys/survey-picker.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNotice, QueryView } from '../ui/states.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import { describeDryRun } from './dry-run-verdict.ts';
import { FileField } from './file-field.tsx';
import { ImportDetails } from './import-details.tsx';
import { sourceLabel, type Target } from './import-formats.ts';
import { ImportMapping } from './import-mapping.tsx';
import { allowedTargets, DEFAULT_SETTINGS, type ImportSettings } from './import-settings.ts';
import { SettingsFields } from './settings-fields.tsx';
import { UploadList } from './upload-list.tsx';
import { useImport } from './use-import.ts';
import { usePlan } from './use-plan.ts';
import { useStartImport } from './use-start-import.ts';

const TARGETS: Readonly<Record<Target, string>> = {
  survey: 'A new survey',
  responses: 'Responses of an existing survey',
};

/** Starts an import: target, file, planned source, format and columns, options, dry run. */
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
  const navigate = useNavigate();
  const navigateAfter = useNavigateAfter();
  const can = useCan();
  // The survey is in the address, so that the page of a survey can lead here.
  const { survey = '' } = useSearch({ from: '/imports/new' });
  const [target, setTarget] = useState<Target>(
    survey !== '' && targets.includes('responses') ? 'responses' : first(targets),
  );
  const [file, setFile] = useState<File>();
  const [settings, setSettings] = useState<ImportSettings>({
    ...DEFAULT_SETTINGS,
    importResponses: can('responses:import'),
  });
  const [dryRunId, setDryRunId] = useState<string>();
  const [isOutdated, setOutdated] = useState(false);
  /** Number of changes of the form, to recognise a dry run of an earlier state. */
  const changes = useRef(0);
  const { isUploading, start } = useStartImport();
  const isComplete = file !== undefined && (target === 'survey' || survey !== '');
  /** Whether the user has chosen source and format; otherwise they are those of the plan. */
  const [isChosen, setChosen] = useState(false);
  const plan = usePlan({ file, target, surveyId: target === 'survey' ? '' : survey, settings, isChosen });
  const { source, format } = plan.data ?? {};
  const isGuessed = !isChosen && source !== undefined && format !== undefined;
  const used = isGuessed ? withFormat(settings, source, format) : settings;

  /** A dry run is about the file and the settings at that time. */
  function forgetDryRun(): void {
    changes.current += 1;
    setDryRunId(undefined);
    setOutdated(false);
  }

  function change(next: Partial<{ file: File; target: Target; settings: ImportSettings }>): void {
    forgetDryRun();
    if (next.target !== undefined) setTarget(next.target);
    if (next.settings !== undefined) {
      setSettings(next.settings);
      const isOther = next.settings.source !== used.source || next.settings.format !== used.format;
      setChosen(isChosen || isOther);
    }
    if (next.file !== undefined) setFile(next.file);
    if (next.file !== undefined || next.target !== undefined) {
      // Another file has other columns.
      setSettings((previous) => ({ ...previous, columns: {}, dateFormat: '', decimal: '' }));
      setChosen(false);
    }
  }

  async function begin(isDryRun: boolean): Promise<void> {
    if (file === undefined) return;
    const at = changes.current;
    setOutdated(false);
    const id = await start({ file, target, surveyId: target === 'survey' ? '' : survey, settings: used, isDryRun });
    if (id === undefined) return;
    if (isDryRun) {
      if (at === changes.current) setDryRunId(id);
      else setOutdated(true);
    } else await navigateAfter({ to: '/imports/$importId', params: { importId: id } });
  }

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
        {target === 'responses' && survey !== '' && (
          <p>
            Into <SurveyName surveyId={survey} />
          </p>
        )}
        {target === 'responses' && can('surveys:read') && (
          <SurveyPicker
            label={survey === '' ? 'Survey' : 'Another survey'}
            onChoose={({ id }) => {
              forgetDryRun();
              void navigate({ to: '/imports/new', search: { survey: id }, replace: true });
            }}
          />
        )}
      </fieldset>
      <FileField value={file} onChange={(chosen) => change({ file: chosen })} />
      {file !== undefined && (
        <>
          {isGuessed && (
            <p>
              The file looks like:{' '}
              <strong>
                {sourceLabel(source)}, {format.toUpperCase()}
              </strong>
              . Check it with a dry run, and correct it if it is wrong.
            </p>
          )}
          {plan.error !== null && <ErrorNotice error={plan.error} />}
          <SettingsFields target={target} settings={used} onChange={(next) => change({ settings: next })} />
          {plan.data !== undefined && (
            <ImportMapping plan={plan.data} settings={used} onChange={(next) => change({ settings: next })} />
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

/** Settings with the guess of a plan. A server of a later version can know more sources. */
function withFormat(settings: ImportSettings, source: string, format: string): ImportSettings {
  return { ...settings, source: source as ImportSettings['source'], format: format as ImportSettings['format'] };
}

function first(targets: readonly Target[]): Target {
  return targets[0] ?? 'survey';
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
