import type { ImportJob, ImportReport, Survey } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCan } from '../session/session.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import {
  DEFAULT_SETTINGS,
  type ImportSettings,
  type Target,
  toResponsesQuery,
  toSurveyQuery,
} from './import-settings.ts';
import { usePlan } from './mapping.ts';
import { useUploads } from './uploads.tsx';

/** The choices of a user for an import. */
export interface ImportForm {
  readonly target: Target;
  readonly file: File | undefined;
  /** The survey that gets the responses; empty if none is chosen. Not used for imports of surveys. */
  readonly surveyId: string;
  readonly settings: ImportSettings;
  /** Whether the user has chosen source and format; otherwise the plan guesses them. */
  readonly isFormatChosen: boolean;
}

type ImportFormChange = Partial<Omit<ImportForm, 'isFormatChosen'>>;

/**
 * Applies a change. Resets settings that are only right for the previous file, target or survey.
 *
 * @param shown the settings as the form shows them, with the format that the plan guesses
 */
export function changeForm(form: ImportForm, change: ImportFormChange, shown: ImportSettings): ImportForm {
  const { settings } = change;
  const hasOtherFormat =
    settings !== undefined && (settings.source !== shown.source || settings.format !== shown.format);
  const next = { ...form, ...change, isFormatChosen: form.isFormatChosen || hasOtherFormat };
  if (change.file !== undefined || change.target !== undefined) {
    const columnSettings = { columns: {}, separator: '', dateFormat: '', decimal: '' } as const;
    return { ...next, settings: { ...next.settings, ...columnSettings }, isFormatChosen: false };
  }
  // The targets of columns are questions of the survey that was chosen before.
  if (change.surveyId !== undefined) return { ...next, settings: { ...next.settings, columns: {} } };
  return next;
}

/** Returns the settings with the source and format that a plan guesses. A newer server can return unknown names. */
function withGuess(settings: ImportSettings, source: string, format: string): ImportSettings {
  return { ...settings, source: source as ImportSettings['source'], format: format as ImportSettings['format'] };
}

/** State of the form for a new import, with its plan and its dry run. */
export function useImportForm(targets: readonly Target[]) {
  const can = useCan();
  const navigate = useNavigate();
  const navigateAfter = useNavigateAfter();
  // The survey is in the address, so that the page of a survey can link to this form.
  const { survey: surveyId = '' } = useSearch({ from: '/imports/new' });
  const [entered, setEntered] = useState<Omit<ImportForm, 'surveyId'>>({
    target: surveyId !== '' && targets.includes('responses') ? 'responses' : (targets[0] ?? 'survey'),
    file: undefined,
    settings: { ...DEFAULT_SETTINGS, importResponses: can('responses:import') },
    isFormatChosen: false,
  });
  const [dryRunId, setDryRunId] = useState<string>();
  const [isOutdated, setOutdated] = useState(false);
  /** Number of changes of the form, to recognise a dry run of an earlier state. */
  const changeCount = useRef(0);
  const { isUploading, start } = useStartImport();

  const form: ImportForm = { ...entered, surveyId };
  const plan = usePlan(form);
  const { source, format } = plan.data ?? {};
  const guess = form.isFormatChosen || source === undefined || format === undefined ? undefined : { source, format };
  const settings = guess === undefined ? form.settings : withGuess(form.settings, guess.source, guess.format);

  function change(next: ImportFormChange): void {
    // The last dry run does not apply to the changed form.
    changeCount.current += 1;
    setDryRunId(undefined);
    setOutdated(false);
    const { surveyId: nextSurveyId, ...others } = changeForm(form, next, settings);
    setEntered(others);
    if (nextSurveyId === surveyId) return;
    void navigate({ to: '/imports/new', search: { survey: nextSurveyId }, replace: true });
  }

  async function begin(isDryRun: boolean): Promise<void> {
    const { file, target } = form;
    if (file === undefined) return;
    const changesAtStart = changeCount.current;
    setOutdated(false);
    const id = await start({ file, target, surveyId: target === 'survey' ? '' : surveyId, settings, isDryRun });
    if (id === undefined) return;
    if (!isDryRun) await navigateAfter({ to: '/imports/$importId', params: { importId: id } });
    else if (changesAtStart === changeCount.current) setDryRunId(id);
    else setOutdated(true);
  }

  return {
    form,
    /** The settings to show and to send, with the format that the plan guesses. */
    settings,
    /** The format that the plan guesses; undefined if the user has chosen one. */
    guess,
    plan,
    change,
    /** Uploads the file for an import or a dry run. */
    begin,
    isUploading,
    /** Whether everything that an import needs is chosen. */
    isComplete: form.file !== undefined && (form.target === 'survey' || surveyId !== ''),
    /** Id of the dry run of the current form; undefined if there is none. */
    dryRunId,
    /** Whether the form was changed while a dry run was uploaded. */
    isOutdated,
  };
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
function useStartImport() {
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
