import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type RenewedSurvey, renewIds } from '@survey/formats/core/ids';
import type { ConvertedSurvey, Warn } from '@survey/formats/core/reader';
import {
  createFitResponse,
  type FittedResponse,
  isLeftOut,
  type JudgedResponse,
} from '@survey/formats/core/responses/fit';
import { type FileResponse, isRejected, rejectUnusable } from '@survey/formats/core/responses/response';
import { fitLengths, toShallow } from '@survey/formats/core/source-data';
import type { ImportFile } from '@survey/formats/files/import-file';
import { createWarnOnce, invalidImport } from '@survey/formats/files/report';
import { findResponseReader, findSurveyReader, takesColumns } from '@survey/formats/sources';
import type { TableOptions } from '@survey/formats/tables/table-options';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { findUnknownMembers, moveUnknownMembers } from '@survey/questionnaire/definition/unknown-members';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import type { Problem } from '@survey/questionnaire/problem';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { AppError } from '@survey/runtime/errors/app-error';
import { createYieldIfDue } from '@survey/runtime/flow/yielding';
import { permissionDenied } from '@survey/runtime/rpc/call-context';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { parse } from 'uuid';
import {
  createDryRunForExisting,
  createResponseIds,
  dryRunForNewSurvey,
  type ResponseClient,
} from '../responses/response-client.ts';
import type { ResponseToStore } from '../responses/response-sender.ts';
import { checkSettingValues, type NewSurvey, type SurveyClient } from '../surveys/survey-client.ts';
import type { ImportOptions } from './import.ts';
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
  readonly responses: AsyncIterable<JudgedResponse>;
  /** Adds the ids under which a response is stored. */
  readonly toPayload: (response: FittedResponse) => ResponseToStore;
  /** Stores the responses. In a dry run, it stores nothing and returns the outcomes that are expected. */
  readonly client: Pick<ResponseClient, 'store'>;
}

interface Dependencies {
  readonly surveys: Pick<SurveyClient, 'getPayload'>;
  readonly responses: ResponseClient;
  readonly checkMessage: MessageCheck;
}

/** Codes of errors whose paths are locations in the file. */
const FILE_ERROR_CODES: readonly string[] = ['INVALID_IMPORT', 'INVALID_DEFINITION'];

/**
 * Prepares an import before anything is stored. Reads and checks the survey of the file, or reads the existing survey
 * for an import of responses. Responses are judged while they are read later, so a file of any length needs little
 * memory. A process that prepares the file again gets the same ids.
 *
 * Throws `INVALID_IMPORT`, `INVALID_DEFINITION`, `PERMISSION_DENIED` or `SURVEY_NOT_FOUND`.
 */
export function createPreparation({ surveys, responses: responseClient, checkMessage }: Dependencies) {
  const noResponses: Peeked<FileResponse> = { isEmpty: true, items: rejectUnusable([]) };

  async function prepareSurvey(options: ImportOptions, file: ImportFile, tenantId: string, { warn }: Warnings) {
    const { title, language, surveyId } = options;
    const read = toStorable(
      await requireReader(findSurveyReader(options))(file, {
        title,
        language,
        table: effectiveTableOptions(options),
        warn,
      }),
      warn,
    );
    const found = options.importResponses ? read.responses?.(warn) : undefined;
    // The permission and the status depend on whether the file has responses. `rejectUnusable` rejects unusable ids,
    // such as duplicates.
    const responses = found === undefined ? noResponses : await peek(rejectUnusable(found));
    if (!responses.isEmpty && !options.mayImportResponses) throw permissionDenied('responses:import');
    const { definition, lintErrors } = checkDefinition(read, options.validateLogic);
    for (const problem of lintErrors) warn(problem);
    checkSettings(read, checkMessage);
    const ids = createDerivedIds(options.origin);
    // Responses are judged with the ids of the file. If the survey gets new ids, `toPayload` replaces the ids in
    // answers. `renameColumns` replaces the ids in the column names that the metadata contain.
    const { payload, renameIdsInAnswers, renameColumns } = options.preserveIds
      ? keepIds(read.payload)
      : renewIds(read.payload, ids.next);
    // A survey with responses has already run elsewhere, so it is closed. A survey with lint errors cannot be
    // published, so it stays a draft.
    const status = lintErrors.length === 0 && !responses.isEmpty ? 'closed' : 'draft';
    const idsOf = createResponseIds({ tenantId, surveyId, preserve: options.preserveIds, newIdAt: ids.responseAt });
    return {
      questions: countQuestions(payload),
      survey: { id: surveyId, status, payload } as const,
      toFileError: (error: unknown) => toSettingsError(error, read),
      responses: judgeAll(
        responses.items,
        createFitResponse({ payload: read.payload, definition, policy: options.answers, renameColumns }),
        options.dryRun ? warn : undefined,
      ),
      toPayload: (response: FittedResponse) => ({
        ...response,
        answers: renameIdsInAnswers(response.answers),
        ...idsOf(response),
      }),
      client: options.dryRun ? dryRunForNewSurvey : responseClient,
    };
  }

  async function prepareResponses(options: ImportOptions, file: ImportFile, caller: ChangeContext, { warn }: Warnings) {
    // `unmask`: whether to remove the apostrophes that protect cells of CSV files from being run as formulas.
    const { surveyId, unmask } = options;
    const payload = await surveys.getPayload(caller, surveyId);
    const definition = compile(payload);
    const found = requireReader(findResponseReader(options))(
      file,
      { payload, definition },
      { unmask, table: effectiveTableOptions(options), warn },
    );
    const newIdAt = createDerivedIds(options.origin).responseAt;
    // An import of responses always keeps the ids of the file. A second import of the file skips stored responses by
    // their ids.
    const idsOf = createResponseIds({ tenantId: caller.tenantId, surveyId, preserve: true, newIdAt });
    return {
      questions: countQuestions(payload),
      survey: undefined,
      toFileError: (error: unknown) => error,
      responses: judgeAll(
        rejectUnusable(found),
        createFitResponse({ payload, definition, policy: options.answers }),
        options.dryRun ? warn : undefined,
      ),
      toPayload: (response: FittedResponse) => ({ ...response, ...idsOf(response) }),
      client: options.dryRun ? createDryRunForExisting(responseClient) : responseClient,
    };
  }

  return async (
    options: ImportOptions,
    file: ImportFile,
    caller: ChangeContext,
    warnings: Warnings,
  ): Promise<PreparedImport> => {
    if (options.table.columns.length > 0 && !takesColumns(options, options.kind)) {
      const detail = `columns: ${options.format} of ${options.source} is no table of answers; leave columns out`;
      throw invalidImport([{ path: '/columns', code: 'NOT_A_TABLE', detail }]);
    }
    const withRequestLocation = (error: unknown) => withLocation(error, options.location);
    try {
      const prepared =
        options.kind === 'survey'
          ? await prepareSurvey(options, file, caller.tenantId, warnings)
          : await prepareResponses(options, file, caller, warnings);
      return {
        ...prepared,
        toRequestError: (error) => withRequestLocation(prepared.toFileError(error)),
        responses: mapErrors(prepared.responses, withRequestLocation),
      };
    } catch (error) {
      throw withRequestLocation(error);
    }
  };
}

export type Prepare = ReturnType<typeof createPreparation>;

const START_UNKNOWN = {
  path: '',
  code: 'START_UNKNOWN',
  detail: 'The file does not say when some responses began, so summaries ignore their durations',
} as const;

/**
 * Judges the responses of a file while they are read. Yields to other requests of the process.
 *
 * @param warn only given in dry runs: after a dry run, the user can map a column to the start of responses
 */
async function* judgeAll(
  responses: AsyncIterable<FileResponse>,
  fit: (response: FileResponse) => JudgedResponse,
  warn: Warn | undefined,
): AsyncGenerator<JudgedResponse> {
  const yieldIfDue = createYieldIfDue();
  const warnOnce = warn && createWarnOnce(warn);
  for await (const response of responses) {
    const judged = fit(response);
    if (hasOnlyEnd(judged)) warnOnce?.('', START_UNKNOWN);
    yield judged;
    await yieldIfDue();
  }
}

/** Whether the response has a known end, and no earlier start. */
function hasOnlyEnd(response: JudgedResponse): boolean {
  if (isRejected(response) || isLeftOut(response) || response.completedAt === undefined) return false;
  return response.startedAt === undefined || response.startedAt.getTime() === response.completedAt.getTime();
}

/** Returns the options for a table. A table that was a string in a JSON body is UTF-8. */
export function effectiveTableOptions({ table, location }: Pick<ImportOptions, 'table' | 'location'>): TableOptions {
  return location === '' ? table : { ...table, encoding: 'utf-8' };
}

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
function toSettingsError(error: unknown, { toFileProblem }: ConvertedSurvey): unknown {
  const ofSettings = error instanceof AppError ? error.errors.filter(({ path }) => path.startsWith('/settings')) : [];
  return ofSettings.length > 0 ? invalidImport(ofSettings.map(toFileProblem)) : error;
}

function keepIds(payload: JsonObject): RenewedSurvey {
  return { payload, renameIdsInAnswers: (answers) => answers, renameColumns: (values) => values };
}

function countQuestions(payload: JsonObject): number {
  return readDefinition(payload).questions.length;
}

/** Throws if there is no reader. The handler has already rejected a wrong source or format. */
function requireReader<T>(reader: T | undefined): T {
  if (reader === undefined) throw new Error('There is no reader for the source and format of the import');
  return reader;
}

/** A stream whose first item has been read. */
interface Peeked<T> {
  readonly isEmpty: boolean;
  /** All items, including the first. Can be read once. */
  readonly items: AsyncIterable<T>;
}

/** Waits for the first item of a stream. Rejects if the stream fails before it. */
async function peek<T>(stream: AsyncIterable<T>): Promise<Peeked<T>> {
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  return { isEmpty: first.done === true, items: all() };

  async function* all(): AsyncGenerator<T> {
    if (first.done) return;
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
}

/** The only version of the format of definitions. */
const SCHEMA_VERSION = '1.0';
/** Allows a page for each question, and pages of text between them. */
const MAX_PAGES = 10 * LIMITS.questions;

/**
 * Changes the survey of a file so that this release can store it, with a warning for each change. Moves unknown members
 * to `metadata`, limits `max_length`, and sets the current `schema_version`.
 */
function toStorable(read: ConvertedSurvey, warn: Warn): ConvertedSurvey {
  const { toFileProblem } = read;
  for (const { path, detail, nearest } of findUnknownMembers({ survey: read.payload['survey'] })) {
    const advice = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    warn(toFileProblem({ path, code: 'KEPT_AS_METADATA', detail: `${detail} and is kept in metadata${advice}` }));
  }
  // The casts are safe: the payload is JSON, and stays JSON when members move.
  const payload = moveUnknownMembers(read.payload, (value) => toShallow(value as JsonValue)) as JsonObject;
  const survey = limitLengths(payload['survey'] ?? null, (path, length) => {
    const detail = `max_length is ${length} in the file, and ${LIMITS.textLength} in the survey`;
    warn(toFileProblem({ path, code: 'LENGTH_LIMITED', detail }));
  });
  const version = payload['schema_version'];
  if (version !== SCHEMA_VERSION) {
    const detail = `schema_version is ${JSON.stringify(version)} in the file, and "${SCHEMA_VERSION}" in the survey`;
    warn(toFileProblem({ path: '/schema_version', code: 'SCHEMA_VERSION_SET', detail }));
  }
  return { ...read, payload: { ...payload, schema_version: SCHEMA_VERSION, survey } };
}

/** Lowers a `max_length` above the platform's limit to that limit. */
function limitLengths(survey: JsonValue, warn: (path: string, length: number) => void): JsonValue {
  return mapItems(survey, 'pages', '/survey', (page, pagePath) =>
    mapItems(page, 'questions', pagePath, (question, questionPath) => {
      const length = isObject(question) ? question['max_length'] : undefined;
      if (!isObject(question) || typeof length !== 'number' || length <= LIMITS.textLength) return question;
      // Questions of other types ignore `max_length`.
      if (question['type'] !== 'text' && question['type'] !== 'textarea') return question;
      warn(`${questionPath}/max_length`, length);
      return fitLengths({ ...question, max_length: LIMITS.textLength });
    }),
  );
}

/** Maps the items of a member of the value at `path`. Returns the value unchanged if the member is no array. */
function mapItems(
  owner: JsonValue,
  name: string,
  path: string,
  map: (item: JsonValue, path: string) => JsonValue,
): JsonValue {
  if (!isObject(owner)) return owner;
  const items = owner[name];
  if (!Array.isArray(items)) return owner;
  return { ...owner, [name]: items.map((item, index) => map(item, `${path}/${name}/${index}`)) };
}

/**
 * Checks the survey of a file. Returns the compiled definition and its lint errors, which block publishing. Throws
 * `INVALID_DEFINITION` if the shape is invalid, and with `validateLogic` also for lint errors.
 */
function checkDefinition({ payload, toFileProblem }: ConvertedSurvey, validateLogic: boolean) {
  const toFileProblems = (problems: readonly Problem[]) =>
    problems.map(({ path, code, detail }) => toFileProblem({ path, code, detail }));
  checkSize(payload, toFileProblem);
  const { settings: _, ...definition } = payload; // see `checkSettings`
  const shapeErrors = toFileProblems(checkShape(definition));
  if (shapeErrors.length > 0) throw new AppError('INVALID_DEFINITION', { errors: shapeErrors });
  const compiled = compile(payload);
  const errors = toFileProblems(compiled.lint.errors);
  if (validateLogic && errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
  return { definition: compiled, lintErrors: errors };
}

/** Throws `INVALID_IMPORT` for invalid values of settings. The survey service checks their combinations. */
function checkSettings({ payload, toFileProblem }: ConvertedSurvey, checkMessage: MessageCheck): void {
  try {
    checkSettingValues(payload['settings'] ?? {}, checkMessage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidImport(error.errors.map((problem) => toFileProblem({ ...problem, path: `/settings${problem.path}` })));
  }
}

/** Limits the number of pages and questions before each one is checked: a small file can have millions. */
function checkSize({ survey }: ConvertedSurvey['payload'], toFileProblem: ConvertedSurvey['toFileProblem']): void {
  const pages = isObject(survey) && isArray(survey['pages']) ? survey['pages'] : [];
  let questions = 0;
  for (const page of pages) questions += isObject(page) && isArray(page['questions']) ? page['questions'].length : 0;
  if (pages.length <= MAX_PAGES && questions <= LIMITS.questions) return;
  const detail = `the survey has more than ${LIMITS.questions} questions, or ${MAX_PAGES} pages`;
  throw new AppError('INVALID_DEFINITION', {
    errors: [toFileProblem({ path: '/survey/pages', code: 'LIMIT_EXCEEDED', detail })],
  });
}

/** Namespace of derived ids (UUID version 5, RFC 9562). */
const DERIVED_IDS = parse('0de0da48-44b6-4937-a5d6-0f06a39d8811');

/**
 * Derives ids from an origin, the id of the request that began the import. A repeated request and a process that
 * continues the import have the same origin, so they create no duplicates.
 */
export function createDerivedIds(origin: string) {
  const derive = (kind: string, position: number) => uuidOf(DERIVED_IDS, JSON.stringify([origin, kind, position]));
  let count = 0;
  return {
    responseAt: (index: number): string => derive('response', index),
    job: (): string => derive('job', 0),
    /** The next id for a question, option or other part of a survey. The same origin gives the same sequence. */
    next(): string {
      count += 1;
      return derive('part', count);
    },
  };
}
