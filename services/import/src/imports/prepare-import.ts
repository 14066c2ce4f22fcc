import type { ImportFile } from '@survey/formats/files/import-file';
import { invalidImport } from '@survey/formats/files/report';
import { takesColumns } from '@survey/formats/sources';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError } from '@survey/runtime/errors/app-error';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import type { Batch, Judged } from '../reading/batches.ts';
import type { ImportOptions, ReadSurvey } from '../reading/read-import.ts';
import type { Reading, ReadingKind } from '../reading/reading.ts';
import { checkSettingValues, type SurveyClient } from '../surveys/survey-client.ts';
import { toRequestProblem, type Warnings } from './report.ts';

/** The receiver of a file's responses while it is read. */
export interface Destination {
  readonly kind: ReadingKind;
  /** The responses that are kept already. */
  readonly from: Judged;
  /** Keeps a batch. An error ends the reading. */
  readonly keep: (batch: Batch) => Promise<void>;
}

interface Dependencies {
  readonly reading: Pick<Reading, 'readImport'>;
  readonly surveys: Pick<SurveyClient, 'getPayload'>;
  readonly checkMessage: MessageCheck;
}

/** Codes of errors whose paths are locations in the file. */
const FILE_ERROR_CODES: readonly string[] = ['INVALID_IMPORT', 'INVALID_DEFINITION'];

/**
 * Prepares an import before anything is stored: reads its file to the end in a thread, once. Checks the survey, and
 * keeps the responses. Each is judged: it is fitted to the survey, rejected with an error, or left out because the
 * options say so. A process that reads the file again gets the same ids.
 *
 * Throws `INVALID_IMPORT`, `INVALID_DEFINITION`, `FILE_TOO_COMPLEX`, `PERMISSION_DENIED` or `SURVEY_NOT_FOUND`.
 */
export function createPreparation({ reading, surveys, checkMessage }: Dependencies) {
  return async (
    options: ImportOptions,
    file: ImportFile,
    caller: ChangeContext,
    { warn }: Pick<Warnings, 'warn'>,
    { kind, from, keep }: Destination,
  ): Promise<ReadSurvey> => {
    if (options.table.columns.length > 0 && !takesColumns(options, options.kind)) {
      const detail = `columns: ${options.format} of ${options.source} is no table of answers; leave columns out`;
      throw invalidImport([{ path: '/columns', code: 'NOT_A_TABLE', detail }]);
    }
    const payload = options.kind === 'survey' ? undefined : await surveys.getPayload(caller, options.surveyId);
    const request = { tenantId: caller.tenantId, options, payload, from };
    const session = reading.readImport(kind, request, { file, warn });
    try {
      const read = await session.read();
      checkSettings(read, checkMessage);
      for await (const batch of session.batches()) await keep(batch);
      return read;
    } catch (error) {
      throw withLocation(error, options);
    } finally {
      session.close();
    }
  };
}

export type Prepare = ReturnType<typeof createPreparation>;

/** Converts the paths in an error of the survey service to paths in the request for the import. */
export function toRequestError(error: unknown, read: ReadSurvey, options: ImportOptions): unknown {
  return withLocation(toSettingsError(error, read), options);
}

/** Converts locations in the file to locations in the request. */
function withLocation(error: unknown, { location }: ImportOptions): unknown {
  const isOfFile = error instanceof AppError && FILE_ERROR_CODES.includes(error.code);
  if (!isOfFile || location === '') return error;
  const errors = error.errors.map((problem) => toRequestProblem(problem, location));
  return new AppError(error.code, { detail: error.message, errors, cause: error });
}

/** Converts the survey service's errors of settings to `INVALID_IMPORT`. Other errors are not caused by the file. */
function toSettingsError(error: unknown, { settingsAt }: ReadSurvey): unknown {
  const ofSettings = error instanceof AppError ? error.errors.filter(({ path }) => path.startsWith('/settings')) : [];
  if (ofSettings.length === 0) return error;
  return invalidImport(ofSettings.map((problem) => ({ ...problem, path: settingsAt ?? problem.path })));
}

/** Throws `INVALID_IMPORT` for invalid values of settings. The survey service checks their combinations. */
function checkSettings(read: ReadSurvey, checkMessage: MessageCheck): void {
  try {
    checkSettingValues(read.survey?.payload['settings'] ?? {}, checkMessage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.errors.map((problem) => ({ ...problem, path: `/settings${problem.path}` }));
    throw toSettingsError(new AppError(error.code, { errors }), read);
  }
}
