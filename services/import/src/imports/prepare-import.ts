import type { ImportFile } from '@survey/formats/files/import-file';
import { invalidImport } from '@survey/formats/files/report';
import { takesColumns } from '@survey/formats/sources';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError } from '@survey/runtime/errors/app-error';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import {
  createDerivedIds,
  type ImportOptions,
  type ReadItem,
  type ReadResponse,
  type ReadSurvey,
} from '../reading/read-import.ts';
import type { Reading, ReadingKind } from '../reading/reading.ts';
import {
  createDryRunForExisting,
  createResponseIds,
  dryRunForNewSurvey,
  type NewResponse,
  type ResponseClient,
} from '../responses/response-client.ts';
import { checkSettingValues, type NewSurvey, type SurveyClient } from '../surveys/survey-client.ts';
import { toRequestProblem, type Warnings } from './report.ts';

/** A file whose survey has been read and checked. Its responses are read later, while they are stored. */
export interface PreparedImport {
  readonly questions: number;
  /** The survey to store first; undefined if responses are added to an existing one. */
  readonly survey: NewSurvey | undefined;
  /** Converts the paths in an error of the survey service to paths in the request for the import. */
  readonly toRequestError: (error: unknown) => unknown;
  /**
   * Reads the responses of the file. Each is judged: it is fitted to the survey, rejected with an error, or left out
   * because the options say so. A fitted response has only answers that the survey allows.
   */
  readonly responses: AsyncIterable<ReadItem>;
  /** Adds the ids under which a response is stored. */
  readonly toPayload: (response: ReadResponse) => NewResponse;
  /** Stores the responses. In a dry run, it stores nothing and returns the outcomes that are expected. */
  readonly client: Pick<ResponseClient, 'store'>;
  /** Stops reading, unless all responses were read. Must be called, because a thread waits for this import. */
  readonly close: () => void;
}

interface Dependencies {
  readonly reading: Reading;
  readonly surveys: Pick<SurveyClient, 'getPayload'>;
  readonly responses: ResponseClient;
  readonly checkMessage: MessageCheck;
}

/** Codes of errors whose paths are locations in the file. */
const FILE_ERROR_CODES: readonly string[] = ['INVALID_IMPORT', 'INVALID_DEFINITION'];

/**
 * Prepares an import before anything is stored. A thread reads and checks the survey of the file. Its responses are
 * judged while they are read later. A process that prepares the file again gets the same ids.
 *
 * Throws `INVALID_IMPORT`, `INVALID_DEFINITION`, `FILE_TOO_COMPLEX`, `PERMISSION_DENIED` or `SURVEY_NOT_FOUND`.
 */
export function createPreparation({ reading, surveys, responses: responseClient, checkMessage }: Dependencies) {
  const dryRunForExisting = createDryRunForExisting(responseClient);

  return async (
    options: ImportOptions,
    file: ImportFile,
    caller: ChangeContext,
    { warn }: Warnings,
    kind: ReadingKind,
  ): Promise<PreparedImport> => {
    if (options.table.columns.length > 0 && !takesColumns(options, options.kind)) {
      const detail = `columns: ${options.format} of ${options.source} is no table of answers; leave columns out`;
      throw invalidImport([{ path: '/columns', code: 'NOT_A_TABLE', detail }]);
    }
    const { tenantId } = caller;
    const { surveyId, location, origin, dryRun } = options;
    const isNew = options.kind === 'survey';
    const payload = isNew ? undefined : await surveys.getPayload(caller, surveyId);
    const session = reading.readImport(kind, tenantId, { options, payload }, { file, warn });
    try {
      const read = await session.read();
      checkSettings(read, checkMessage);
      // An import of responses always keeps the ids of the file. A second import of the file skips stored responses by
      // their ids.
      const preserve = !isNew || options.preserveIds;
      const newIdAt = createDerivedIds(origin).responseAt;
      const idsOf = createResponseIds({ tenantId, surveyId, preserve, newIdAt });
      return {
        questions: read.questions,
        survey: read.survey,
        toRequestError: (error) => withLocation(toSettingsError(error, read), location),
        responses: mapErrors(session.responses(), (error) => withLocation(error, location)),
        toPayload: (response) => ({ ...response, ...idsOf(response) }),
        client: !dryRun ? responseClient : isNew ? dryRunForNewSurvey : dryRunForExisting,
        close: session.close,
      };
    } catch (error) {
      session.close();
      throw withLocation(error, location);
    }
  };
}

export type Prepare = ReturnType<typeof createPreparation>;

async function* mapErrors<T>(stream: AsyncIterable<T>, toError: (error: unknown) => unknown): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw toError(error);
  }
}

/** Converts locations in the file to locations in the request. */
function withLocation(error: unknown, location: string): unknown {
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
