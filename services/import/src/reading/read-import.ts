import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type RenewedSurvey, renewIds } from '@survey/formats/core/ids';
import type { ConvertedSurvey, Warn } from '@survey/formats/core/reader';
import {
  type AnswerPolicy,
  createFitResponse,
  isLeftOut,
  type JudgedResponse,
} from '@survey/formats/core/responses/fit';
import { checkIds, type FileResponse, isRejected } from '@survey/formats/core/responses/response';
import { fitLengths, toShallow } from '@survey/formats/core/source-data';
import type { ImportFile } from '@survey/formats/files/import-file';
import { findResponseReader, findSurveyReader } from '@survey/formats/sources';
import type { TableOptions } from '@survey/formats/tables/table-options';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { findUnknownMembers, moveUnknownMembers } from '@survey/questionnaire/definition/unknown-members';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import type { Problem } from '@survey/questionnaire/problem';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { AppError, permissionDenied } from '@survey/runtime/errors/app-error';
import { parse } from 'uuid';
import type { NewSurvey } from '../surveys/survey-client.ts';
import { type Batch, createBatches, createResponseIds, type Judged } from './batches.ts';

/** Options of an import. Jobs store them under these names. */
export interface ImportOptions {
  readonly kind: 'survey' | 'responses';
  readonly source: string;
  readonly format: string;
  /** Location of the file in the request: a JSON pointer, empty if the file was the body. */
  readonly location: string;
  /** Id of the new survey, or of the survey to add responses to. */
  readonly surveyId: string;
  /** New ids of responses and questions are derived from it. A repeated request has the same origin. */
  readonly origin: string;
  /**
   * Time of the first request with the idempotency key, by the clock of the database. Undefined without a key.
   * Responses that were deleted after it are not stored again, even if a late copy of the request begins afterwards.
   */
  readonly requestedAt: Date | undefined;
  /** Default title of the survey; may be empty. */
  readonly title: string;
  readonly language: string;
  readonly preserveIds: boolean;
  /** Whether a file with lint errors is rejected. If not, lint errors are warnings, and the survey stays a draft. */
  readonly validateLogic: boolean;
  readonly importResponses: boolean;
  /** Whether the caller has the permission to import responses. */
  readonly mayImportResponses: boolean;
  /** Whether to remove the apostrophes that protect CSV cells from being run as formulas; undefined to detect them. */
  readonly unmask: boolean | undefined;
  readonly table: TableOptions;
  /** Treatment of invalid answers, unfinished responses and tests. */
  readonly answers: AnswerPolicy;
  readonly dryRun: boolean;
  readonly emitEvents: boolean;
}

/** A request to read an import, without its file. It has only data, because it is sent to a thread. */
export interface ReadRequest {
  readonly tenantId: TenantId;
  readonly options: ImportOptions;
  /** The survey to which responses are added; undefined for a new survey. */
  readonly payload: JsonObject | undefined;
  /** The responses that an earlier process has judged and kept. They are not judged again. */
  readonly from: Judged;
}

/** The result of reading a file up to its responses. It has only data, because a thread sends it. */
export interface ReadSurvey {
  readonly questions: number;
  /** The survey to store first; undefined if responses are added to an existing one. */
  readonly survey: NewSurvey | undefined;
  /** Location in the file of all settings; undefined if paths of settings are locations in the file. */
  readonly settingsAt: string | undefined;
}

/** A file whose survey has been read. Its responses are read next. */
interface BegunReading {
  readonly read: ReadSurvey;
  /** The responses of the file, judged while they are read. */
  readonly batches: AsyncIterable<Batch>;
}

/**
 * Reads a file: its survey, which is checked, then its responses, which are judged while they are read. So a file of any
 * length needs little memory. A second reading gives the same ids. Throws `INVALID_IMPORT` or `INVALID_DEFINITION`, with
 * locations in the file, or `PERMISSION_DENIED`.
 */
export async function readImport(request: ReadRequest, file: ImportFile, warn: Warn): Promise<BegunReading> {
  const { payload } = request;
  return payload === undefined ? readNewSurvey(request, file, warn) : readResponses(request, payload, file, warn);
}

async function readNewSurvey(request: ReadRequest, file: ImportFile, warn: Warn): Promise<BegunReading> {
  const { options } = request;
  const { title, language, surveyId } = options;
  const table = effectiveTableOptions(options);
  const converted = await requireReader(findSurveyReader(options))(file, { title, language, table, warn });
  const read = toStorable(converted, warn);
  const found = options.importResponses ? read.responses?.(warn) : undefined;
  // The permission and the status depend on whether the file has responses. `checkIds` rejects unusable ids, such
  // as duplicates.
  const responses = await peek(checkIds(found ?? []));
  if (!responses.isEmpty && !options.mayImportResponses) throw permissionDenied('responses:import');
  const { definition, lintErrors } = checkDefinition(read, options.validateLogic);
  for (const problem of lintErrors) warn(problem);
  // Responses are judged with the ids of the file. If the survey gets new ids, the judged answers get them, too.
  // `renameColumns` replaces the ids in the column names that the metadata contain.
  const { payload, renameIdsInAnswers, renameColumns } = options.preserveIds
    ? keepIds(read.payload)
    : renewIds(read.payload, createDerivedIds(options.origin).next);
  // A survey with responses has already run elsewhere, so it is closed. A survey with lint errors cannot be published,
  // so it stays a draft.
  const status = lintErrors.length === 0 && !responses.isEmpty ? 'closed' : 'draft';
  const fit = createFitResponse({ payload: read.payload, definition, policy: options.answers, renameColumns });
  const fitAndRename = (response: FileResponse): JudgedResponse => {
    const judged = fit(response);
    return 'answers' in judged ? { ...judged, answers: renameIdsInAnswers(judged.answers) } : judged;
  };
  return {
    read: {
      questions: countQuestions(payload),
      survey: { id: surveyId, status, payload },
      settingsAt: settingsAtOf(read),
    },
    batches: judgeAll(responses.items, fitAndRename, warn, request),
  };
}

async function readResponses(
  request: ReadRequest,
  payload: JsonObject,
  file: ImportFile,
  warn: Warn,
): Promise<BegunReading> {
  const { options } = request;
  const { unmask } = options;
  const definition = compile(payload);
  const reader = requireReader(findResponseReader(options));
  const found = reader(file, { payload, definition }, { unmask, table: effectiveTableOptions(options), warn });
  const fit = createFitResponse({ payload, definition, policy: options.answers });
  return {
    read: { questions: countQuestions(payload), survey: undefined, settingsAt: undefined },
    batches: judgeAll(checkIds(found), fit, warn, request),
  };
}

const SOME_SETTING = '/settings/x';

function settingsAtOf({ toFileProblem }: ConvertedSurvey): string | undefined {
  const { path } = toFileProblem({ path: SOME_SETTING, code: '', detail: '' });
  return path === SOME_SETTING ? undefined : path;
}

/** After so many rejected responses without another one, reading stops: probably the file or format is wrong. */
export const MAX_REJECTED = 100_000;

const START_UNKNOWN = {
  path: '',
  code: 'START_UNKNOWN',
  detail: 'The file does not say when some responses began, so summaries ignore their durations',
} as const;

/** Judges the responses of a file while they are read. */
async function* judgeAll(
  responses: AsyncIterable<FileResponse>,
  fit: (response: FileResponse) => JudgedResponse,
  warn: Warn,
  { tenantId, options, from }: ReadRequest,
): AsyncGenerator<Batch> {
  const { surveyId, origin, dryRun } = options;
  // An import of responses always keeps the ids of the file. A second import of the file skips stored responses by
  // their ids.
  const preserve = options.kind === 'responses' || options.preserveIds;
  const newIdAt = createDerivedIds(origin).responseAt;
  const batches = createBatches({
    idsOf: createResponseIds({ tenantId, surveyId, preserve, newIdAt }),
    isDryRun: dryRun,
  });
  let judged = from;
  let position = 0;
  let rejected = 0;
  for await (const response of responses) {
    position += 1;
    if (position <= from.rows) continue;
    const fitted = fit(response);
    yield* batches.add(fitted, judged);
    judged = {
      rows: position,
      withoutEnd: judged.withoutEnd + (hasNoTime(fitted) ? 1 : 0),
      withoutStart: judged.withoutStart + (hasOnlyEnd(fitted) ? 1 : 0),
    };
    if (isRejected(fitted)) rejected += 1;
    if (rejected === MAX_REJECTED && rejected === judged.rows) break;
  }
  yield* batches.flush(judged);
  // The user of a dry run can still map a column to the start.
  if (dryRun && judged.withoutStart > 0) warn(START_UNKNOWN);
  if (judged.withoutEnd === 0) return;
  const detail = `The file has no time for ${judged.withoutEnd} finished responses, so they get the time of the import`;
  warn({ path: '', code: 'TIME_ASSUMED', detail });
}

/** Whether the response is finished, and the file does not say when. */
function hasNoTime(response: JudgedResponse): boolean {
  if (isRejected(response) || isLeftOut(response)) return false;
  return response.status === undefined && response.completedAt === undefined;
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
