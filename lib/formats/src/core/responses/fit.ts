import type { JsonObject } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { nameLanguages } from '@survey/questionnaire/definition/language-tag';
import { isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import { findLanguage } from '@survey/questionnaire/labels';
import type { AnswerProblem, ValidateOptions, Validation } from '@survey/questionnaire/validate';
import { bytesOf } from '../source-data.ts';
import {
  type UnassignedValue,
  type FileResponse,
  isRejected,
  locationOf,
  MAX_METADATA,
  type ParsedResponse,
  type RejectedResponse,
  type RowLocation,
  type UnusableValue,
} from './response.ts';
import { createSplitAnswer, type SplitAnswer, type SplitAnswerOf } from './split-answer.ts';

/** The options of an import for answers that do not fit, and for responses that are not finished or not real. */
export interface AnswerPolicy {
  /** `keep` moves an invalid answer to the metadata, `blank` removes it, `reject` rejects its response. */
  readonly onInvalidAnswer: 'keep' | 'reject' | 'blank';
  readonly partialResponses: 'in_progress' | 'completed' | 'leave_out';
  /** Whether to import previews, tests and spam. */
  readonly includeTests: boolean;
}

/** A response that can be stored: its answers are valid and normalised. */
export interface FittedResponse
  extends Omit<ParsedResponse, 'unread' | 'unassigned' | 'isTest' | 'isNoResponse' | 'hasAnswersInMetadata'> {
  readonly omissions: readonly Omission[];
  /** Whether a value of the file is lost, or only kept in the metadata. */
  readonly lacksValues: boolean;
  /** Whether answers to required questions may be missing. */
  readonly allowsMissing: boolean;
}

/** A response that the options of the import leave out, or a row that is no response. */
export interface LeftOutResponse extends RowLocation, Pick<ParsedResponse, 'index' | 'id'> {
  readonly isLeftOut: true;
}

export type JudgedResponse = FittedResponse | RejectedResponse | LeftOutResponse;

interface Options {
  /** The payload of the survey. `definition` is the same survey, compiled. */
  readonly payload: JsonObject;
  readonly definition: Pick<CompiledDefinition, 'validate'>;
  readonly policy: AnswerPolicy;
  /**
   * Renames kept invalid answers, if the import gives questions new ids. Their names are like columns, such as
   * `q3[row]`. By default, the names stay.
   */
  readonly renameColumns?: (values: JsonObject) => JsonObject;
}

/** Maximum characters of the detail of a rejected response, which joins its problems. */
const MAX_DETAIL = 1_000;
/**
 * Maximum rounds of dividing invalid answers into valid and invalid parts. Each round can make other answers invalid.
 * Answers that are still invalid after the last round are not stored.
 */
const MAX_ROUNDS = 20;

/** A problem of a response, at a question or a column. */
type ResponseProblem = Pick<Omission, 'column' | 'code' | 'detail'> & { readonly path?: string };

export function isLeftOut(response: JudgedResponse): response is LeftOutResponse {
  return 'isLeftOut' in response;
}

/**
 * Judges the responses of a file. Makes the answers of a response fit the survey, or rejects the response with all its
 * problems. Imports and dry runs of all tools use this function.
 *
 * Values that are not stored as given are `unread`, `unassigned` or `unfit`:
 *
 * - `unread`: the reader of the file could not convert it, or it is a time or language that cannot be stored.
 * - `unassigned`: the survey has no question for it. The reader may have kept it in the metadata.
 * - `unfit`: the survey does not allow it as an answer.
 */
export function createFitResponse({
  payload,
  definition,
  policy,
  renameColumns = (values) => values,
}: Options): (response: FileResponse) => JudgedResponse {
  const { onInvalidAnswer, partialResponses, includeTests } = policy;
  const isTolerant = onInvalidAnswer !== 'reject';
  const languages = languagesOf(payload);
  const fitAnswers = createFitAnswers(definition, isTolerant ? createSplitAnswer(payload) : undefined);

  return (response) => {
    if (isRejected(response)) return response;
    const {
      unread: unreadByReader = [],
      unassigned = [],
      isTest = false,
      isNoResponse = false,
      hasAnswersInMetadata = false,
      status,
      language,
    } = response;
    const located = { index: response.index, id: response.id, ...locationOf(response) };
    if (isNoResponse || (isTest && !includeTests) || (status !== undefined && partialResponses === 'leave_out')) {
      return { ...located, isLeftOut: true };
    }
    const isUnfinished = status !== undefined && partialResponses !== 'completed';
    const times = timesOf(response, isUnfinished);
    const declared = language === undefined ? undefined : findLanguage(languages, [language]);
    const undeclared = declared === undefined && language !== undefined ? [toUndeclared(language, languages)] : [];
    const unread = [...unreadByReader, ...times.unread, ...undeclared];
    const fitted = fitAnswers(response.answers, unread, { partial: status !== undefined, language });
    const missing = fitted.problems.filter(isMissing);
    const allowsMissing = isTolerant || status !== undefined;

    const problems: readonly ResponseProblem[] = [
      ...unread.map(({ name, code, detail }) => ({ column: name, code, detail })),
      ...fitted.problems.filter((problem) => !allowsMissing || !isMissing(problem)).map(toResponseProblem),
    ];
    const [first] = problems;
    if (first !== undefined && !isTolerant) return { ...located, ...toRejection(first, problems) };
    // An answer that logic hides fits its question.
    const fitsAny = Object.keys(fitted.data).length > 0 || fitted.unfit.some(({ code }) => code === 'HIDDEN_QUESTION');
    if (!isUnfinished && !hasAnswersInMetadata && !fitsAny) {
      const lost = [
        ...[...unread, ...fitted.unfit].filter(({ kind }) => kind === 'answer').map(toLostProblem),
        ...unassigned.filter(isLostAnswer).map((one) => ({ ...one, path: one.column })),
      ];
      const [one] = lost;
      if (one !== undefined) return { ...located, ...toNoAnswersError(one, lost) };
    }
    const metadata = renameKept(response.metadata, renameColumns);
    if (metadata !== undefined && bytesOf(metadata) > MAX_METADATA) {
      const detail = `metadata TOO_LARGE: must not exceed ${MAX_METADATA} bytes of JSON`;
      return { ...located, code: 'TOO_LARGE', detail, column: 'metadata' };
    }

    const values = [...unread, ...fitted.unfit, ...unassigned.flatMap(toValue)];
    const kept = keepInMetadata(metadata, values, { keepsValues: onInvalidAnswer === 'keep', renameColumns });
    return {
      ...located,
      externalId: response.externalId,
      ...times.valid,
      ...(isUnfinished ? { status } : {}),
      language: declared,
      metadata: kept.metadata,
      answers: fitted.data,
      omissions: [
        ...kept.omissions,
        ...missing.map(toMissing),
        ...unassigned.filter(({ value }) => value === undefined).map(toDropped),
      ],
      lacksValues: kept.omissions.length > 0 || unassigned.length > 0,
      allowsMissing,
    };
  };
}

/** The answers of a response, compared with the survey. */
interface FittedAnswers {
  /** The valid answers, normalised. */
  readonly data: JsonObject;
  /** Answers, and parts of answers, that the survey does not allow. */
  readonly unfit: readonly UnusableValue[];
  /** Invalid answers, and required questions without a value in the file. */
  readonly problems: readonly AnswerProblem[];
}

/** @param splitAnswer divides invalid answers, if their valid parts are to be used */
function createFitAnswers(definition: Options['definition'], splitAnswer: SplitAnswerOf | undefined) {
  return (
    answers: JsonObject,
    unread: readonly UnusableValue[],
    options: Pick<ValidateOptions, 'partial' | 'language'>,
  ): FittedAnswers => {
    const validate = (all: JsonObject) =>
      definition.validate(all, { lenient: true, inactive: true, strict: true, ...options });
    const whole = validate(answers);
    // A shortcut for nearly all responses of a file.
    if (whole.errors.length === 0 && hasAllAnswers(answers, whole.data))
      return { data: whole.data as JsonObject, unfit: [], problems: [] };
    const { splits, data, errors } =
      splitAnswer === undefined
        ? { ...whole, splits: NO_SPLITS }
        : splitInvalid(answers, whole, { splitAnswer, validate });
    const usedSplits = new Map([...splits].filter(([id]) => Object.hasOwn(data, id)));
    const unreadNames = [
      ...unread.flatMap(({ kind, name }) => (kind === 'answer' ? [name] : [])),
      ...usedSplits.keys(),
    ];
    // Names are like columns: `q` or `q[row]`.
    const unreadIds = new Set(unreadNames.map((name) => name.split('[', 1)[0] ?? ''));
    const problemOf = new Map(errors.map((problem) => [problem.question_id, problem]));
    const unfit = givenAnswers(answers).flatMap(([name, value]): readonly UnusableValue[] => {
      if (Object.hasOwn(data, name)) return usedSplits.get(name)?.invalid ?? [];
      const { code, detail } = problemOf.get(name) ?? WRONG_VALUE;
      return [{ kind: 'answer', name, code, detail, value }];
    });
    return {
      // Normalised answers are a read-only subtype of JSON.
      data: data as JsonObject,
      unfit,
      problems: errors.filter(
        (problem) =>
          problem.code !== 'HIDDEN_QUESTION' && !(isMissing(problem) && unreadIds.has(problem.question_id ?? '')),
      ),
    };
  };
}

/** Whether each answer that was given is valid. */
function hasAllAnswers(answers: JsonObject, valid: object): boolean {
  for (const name of Object.keys(answers))
    if (!Object.hasOwn(valid, name) && !isUnanswered(answers[name])) return false;
  return true;
}

function isMissing({ code }: AnswerProblem): boolean {
  return code === 'REQUIRED';
}

function givenAnswers(answers: JsonObject) {
  return Object.entries(answers).filter(([, value]) => !isUnanswered(value));
}

function toResponseProblem({ path, code, detail, question_id: column = '' }: AnswerProblem): ResponseProblem {
  return { column, code, detail, path };
}

/** The error for a response with these problems. */
function toRejection(
  first: ResponseProblem,
  problems: readonly ResponseProblem[],
): Pick<RejectedResponse, 'code' | 'detail' | 'column'> {
  const isOfReader = problems.length === 1 && first.path === undefined;
  return {
    code: isOfReader ? first.code : 'INVALID_ANSWERS',
    detail: joinProblems(problems),
    ...(first.column === '' ? {} : { column: first.column }),
  };
}

/** Codes of unassigned values that a respondent gave as answers. */
const LOST_ANSWERS: readonly string[] = ['UNKNOWN_QUESTION', 'UNKNOWN_COLUMN', 'NOT_AN_ANSWER'];

function isLostAnswer({ code, value, isNoAnswer }: UnassignedValue): boolean {
  return LOST_ANSWERS.includes(code) && isNoAnswer !== true && (value === undefined || !isUnanswered(value));
}

function toLostProblem({ name: column, code, detail }: UnusableValue): ResponseProblem {
  return { column, code, detail, path: column };
}

/** The error for a response with answers of which none can be stored. */
function toNoAnswersError(
  { column }: ResponseProblem,
  lost: readonly ResponseProblem[],
): Pick<RejectedResponse, 'code' | 'detail' | 'column'> {
  const detail = `The response has no answer that fits the survey; it may belong to another survey: ${joinProblems(lost)}`;
  return { code: 'NO_ANSWERS', detail, ...(column === '' ? {} : { column }) };
}

/**
 * Converts an unassigned value to one that the metadata can keep. Empty if there is no value, for example because the
 * reader has kept it already.
 */
function toValue({ column: name, code, detail, value }: UnassignedValue): readonly UnusableValue[] {
  return value === undefined ? [] : [{ kind: 'answer', name, code, detail, value }];
}

function toMissing({ code, detail, question_id: column = '' }: AnswerProblem): Omission {
  return { column, code, detail, action: 'missing' };
}

function toDropped({ column, code, detail, keptAs }: UnassignedValue): Omission {
  return { column, code, detail, action: keptAs === undefined ? 'dropped' : 'kept' };
}

const NO_SPLITS: ReadonlyMap<string, SplitAnswer> = new Map();

interface Splitting {
  readonly splitAnswer: SplitAnswerOf;
  readonly validate: (answers: JsonObject) => Validation;
}

/**
 * Divides invalid answers that are valid in part. Returns the parts by question. Logic then uses the valid parts: it
 * can hide a question whose answer was divided, or show a question whose answer must be divided too.
 */
function splitInvalid(answers: JsonObject, whole: Validation, { splitAnswer, validate }: Splitting) {
  const splits = new Map<string, SplitAnswer>();
  let found = whole;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = splits.size;
    for (const { code, question_id: id = '' } of found.errors) {
      const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
      if (answer === undefined || splits.has(id) || code === 'HIDDEN_QUESTION' || code === 'REQUIRED') continue;
      const split = splitAnswer(id, answer);
      if (split !== undefined) splits.set(id, split);
    }
    if (splits.size === before) break;
    found = validate(withValidParts(answers, splits));
  }
  return { splits, data: found.data, errors: found.errors };
}

function withValidParts(answers: JsonObject, splits: ReadonlyMap<string, SplitAnswer>): JsonObject {
  const valid: JsonObject = { ...answers };
  for (const [id, split] of splits) setMember(valid, id, split.valid);
  return valid;
}

const WRONG_VALUE = { code: 'WRONG_TYPE', detail: 'the value is not an answer' };

/**
 * Splits the times of a response into valid ones, and ones in a year that RFC 3339 cannot write. Unfinished responses
 * have no `completedAt`; if it is the only time in the file, it counts as their start.
 */
function timesOf(response: ParsedResponse, isUnfinished: boolean) {
  const { completedAt } = response;
  const startedAt = response.startedAt ?? (isUnfinished ? completedAt : undefined);
  const times = [
    ['started_at', response.startedAt],
    ['completed_at', completedAt],
  ] as const;
  const unread = times.flatMap(([name, time]): readonly UnusableValue[] => {
    if (time === undefined || hasRfc3339Year(time)) return [];
    const detail = 'the times must be in the years 1 to 9999';
    return [{ kind: 'response', name, code: 'INVALID_TIME', detail, value: time.toISOString() }];
  });
  return {
    valid: {
      startedAt: hasRfc3339Year(startedAt) ? startedAt : undefined,
      completedAt: isUnfinished || !hasRfc3339Year(completedAt) ? undefined : completedAt,
    },
    unread,
  };
}

function hasRfc3339Year(time: Date | undefined): boolean {
  const year = time?.getUTCFullYear() ?? 1;
  return year >= 1 && year <= 9_999;
}

function languagesOf({ survey }: JsonObject): readonly string[] {
  return itemsOf(isObject(survey) ? survey['supported_languages'] : undefined).map(String);
}

function toUndeclared(language: string, declared: readonly string[]): UnusableValue {
  const detail = `must be one of the languages of the survey: ${nameLanguages(declared)}`;
  return { kind: 'response', name: 'language', code: 'UNDECLARED_LANGUAGE', detail, value: language };
}

/** Joins the problems to one error detail of limited length. */
function joinProblems(problems: readonly ResponseProblem[]): string {
  let text = '';
  for (const [position, { column, code, detail, path }] of problems.entries()) {
    // Details of a reader contain their location.
    const one = path === undefined && problems.length === 1 ? detail : `${path ?? column} ${code}: ${detail}`;
    if (position > 0 && text.length + one.length > MAX_DETAIL) return `${text}; and ${problems.length - position} more`;
    text += position === 0 ? one : `; ${one}`;
  }
  return text;
}

/** Reports a value of a response that is not stored as an answer. Never contains the value itself. */
export interface Omission {
  /** The id of the question, or the name of the column. */
  readonly column: string;
  readonly code: string;
  readonly detail: string;
  /** `kept` in the metadata, `dropped`, or `missing` in the file although the question is required. */
  readonly action: 'kept' | 'dropped' | 'missing';
}

/** The member of a response's metadata that has its invalid answers by question id. */
const KEPT_ANSWERS = 'invalid_answers';
/** Bytes for the member with kept answers in the metadata, without its content. */
const RESERVED = Buffer.byteLength(JSON.stringify({ [KEPT_ANSWERS]: {} })) + 1;

type RenameColumns = NonNullable<Options['renameColumns']>;

interface KeepOptions {
  /** Whether values are kept, or only listed. */
  readonly keepsValues: boolean;
  readonly renameColumns: RenameColumns;
}

/** Renames the invalid answers that an earlier import kept in the metadata. */
function renameKept(metadata: JsonObject | undefined, renameColumns: RenameColumns): JsonObject | undefined {
  const before = metadata?.[KEPT_ANSWERS];
  return isObject(before) ? { ...metadata, [KEPT_ANSWERS]: renameColumns(before as JsonObject) } : metadata;
}

/** Adds values to the metadata, as far as they fit, and lists for each whether it was kept or dropped. */
function keepInMetadata(
  given: JsonObject | undefined,
  values: readonly UnusableValue[],
  { keepsValues, renameColumns }: KeepOptions,
) {
  const before = given?.[KEPT_ANSWERS];
  // A member of the file that is no object moves into the new object of its name.
  const kept: JsonObject = isObject(before) ? { ...before } : before === undefined ? {} : { [KEPT_ANSWERS]: before };
  if (values.length === 0) return { metadata: given, omissions: [] };
  let left = MAX_METADATA - RESERVED - (given === undefined ? 0 : bytesOf(given));
  let isAnyKept = false;
  const omissions = values.map(({ name: column, code, detail, value: valueInFile }): Omission => {
    // Measure the renamed column: new ids can be longer.
    const [[name, value] = [column, valueInFile]] = Object.entries(renameColumns({ [column]: valueInFile }));
    const size = bytesOf(name) + bytesOf(value) + 2;
    const isKept = keepsValues && value !== null && size <= left && !Object.hasOwn(kept, name);
    if (isKept) {
      left -= size;
      isAnyKept = true;
      setMember(kept, name, value);
    }
    return { column, code, detail, action: isKept ? 'kept' : 'dropped' };
  });
  return { metadata: isAnyKept ? { ...given, [KEPT_ANSWERS]: kept } : given, omissions };
}
