import type { JsonObject } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import type { AnswerProblem, Validation } from '@survey/questionnaire/validate';
import {
  type DroppedValue,
  type FileResponse,
  isRejected,
  MAX_METADATA,
  type ReadResponse,
  type RejectedResponse,
  type RowLocation,
  rowOf,
  type UnreadValue,
} from './file-response.ts';
import { bytesOf } from './largest-members.ts';
import { createSplitAnswer, type SplitAnswer, type SplitAnswerOf } from './split-answer.ts';

/** The options of an import for answers that do not fit, and for responses that are not finished or not real. */
export interface AnswerPolicy {
  /** `keep` moves an invalid answer to the metadata, `blank` removes it, `reject` rejects its response. */
  readonly onInvalidAnswer: 'keep' | 'reject' | 'blank';
  readonly partialResponses: 'in_progress' | 'completed' | 'leave_out';
  /** Whether to import previews, tests and spam. */
  readonly includeTests: boolean;
}

/** A value of a response that is not stored as an answer. It never has the value itself. */
export interface Omission {
  /** The id of the question, or the name of the column. */
  readonly column: string;
  readonly code: string;
  readonly detail: string;
  /** `kept` in the metadata, `dropped`, or `missing` in the file although the question is required. */
  readonly action: 'kept' | 'dropped' | 'missing';
}

/** A response that can be stored: its answers are valid and normalised. */
export interface FittedResponse extends Omit<ReadResponse, 'unread' | 'dropped' | 'isTest'> {
  readonly omissions: readonly Omission[];
  /** Whether a value of the file is not stored as an answer or as data of the response. */
  readonly isPartial: boolean;
  /** Whether answers to required questions may be missing. */
  readonly allowsMissing: boolean;
}

/** A response that the options of the import leave out. */
export interface LeftOutResponse extends RowLocation, Pick<ReadResponse, 'index' | 'id'> {
  readonly isLeftOut: true;
}

export type JudgedResponse = FittedResponse | RejectedResponse | LeftOutResponse;

interface Options {
  /** The payload of the survey, and the same compiled. */
  readonly payload: JsonObject;
  readonly definition: Pick<CompiledDefinition, 'validate'>;
  readonly policy: AnswerPolicy;
  /** Replaces ids in the names of kept answers, which are names of columns. Default: the same ids. */
  readonly renameColumns?: (values: JsonObject) => JsonObject;
}

/** The member of a response's metadata that has its invalid answers by question id. */
export const KEPT_ANSWERS = 'invalid_answers';
/** Maximum characters of the errors of one response. */
const MAX_QUOTED = 1_000;
/** Maximum rounds of dividing invalid answers: each can make others invalid. Later ones are kept or dropped as a whole. */
const MAX_ROUNDS = 20;
/** Bytes for the names and brackets of kept answers in the metadata. */
const RESERVED = Buffer.byteLength(JSON.stringify({ [KEPT_ANSWERS]: {} })) + 1;

/** A problem of a response, at a question or a column. */
type ResponseProblem = Pick<Omission, 'column' | 'code' | 'detail'> & { readonly path?: string };

export function isLeftOut(response: JudgedResponse): response is LeftOutResponse {
  return 'isLeftOut' in response;
}

/**
 * Judges the responses of a file: makes the answers of each fit the survey, or rejects it with all of its problems. All
 * imports and dry runs use it, for all tools.
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
  const splitAnswer = createSplitAnswer(payload);

  return (response) => {
    if (isRejected(response)) return response;
    const { unread: given = [], dropped = [], isTest = false, status, ...details } = response;
    const { index, id } = response;
    const location = rowOf(response);
    const isUnfinished = status !== undefined && partialResponses !== 'completed';
    if ((isTest && !includeTests) || (status !== undefined && partialResponses === 'leave_out')) {
      return { index, id, ...location, isLeftOut: true };
    }
    const times = timesOf(response, isUnfinished);
    const unread = [...given, ...times.unread, ...languageProblem(response, languages)];
    const allowsMissing = isTolerant || status !== undefined;
    const validate = (all: JsonObject) =>
      definition.validate(all, { lenient: true, inactive: true, strict: true, partial: status !== undefined });
    const whole = validate(response.answers);
    const { splits, data, errors } = isTolerant
      ? splitInvalid(response.answers, whole, { splitAnswer, validate })
      : { ...whole, splits: NO_SPLITS };
    const splitIn = (id: string) => (Object.hasOwn(data, id) ? splits.get(id) : undefined);
    const unreadAnswers = [
      ...unread.flatMap(({ kind, name }) => (kind === 'answer' ? [name] : [])),
      ...[...splits.keys()].filter((id) => splitIn(id) !== undefined),
    ];
    const isUnread = (id: string) => unreadAnswers.some((name) => name === id || name.startsWith(`${id}[`));
    const isMissing = ({ code, question_id: id = '' }: AnswerProblem) => code === 'REQUIRED' && !isUnread(id);
    const invalid = errors.filter(
      (problem) =>
        problem.code !== 'HIDDEN_QUESTION' && (problem.code !== 'REQUIRED' || (isMissing(problem) && !allowsMissing)),
    );
    const problems: readonly ResponseProblem[] = [
      ...unread.map(({ name, code, detail }) => ({ column: name, code, detail })),
      ...invalid.map(({ path, code, detail, question_id: column = '' }) => ({ column, code, detail, path })),
    ];
    const reject = (code: string, detail: string, column?: string): RejectedResponse => ({
      index,
      id,
      ...location,
      code,
      detail,
      ...(column === undefined || column === '' ? {} : { column }),
    });
    const answers = Object.entries(response.answers).filter(([, value]) => !isUnanswered(value));
    const [first] = problems;
    if (first !== undefined && (!isTolerant || isOfOtherSurvey(answers.length, problems))) {
      const code = problems.length === 1 && first.path === undefined ? first.code : 'INVALID_ANSWERS';
      return reject(code, quote(problems), first.column);
    }
    if (details.metadata !== undefined && bytesOf(details.metadata) > MAX_METADATA) {
      return reject('TOO_LARGE', `metadata TOO_LARGE: must not exceed ${MAX_METADATA} bytes of JSON`, 'metadata');
    }
    const reasons = new Map(errors.map((problem) => [problem.question_id, problem]));
    const unfit = answers.flatMap(([name, value]): readonly UnreadValue[] => {
      if (Object.hasOwn(data, name)) return splitIn(name)?.invalid ?? [];
      const { code, detail } = reasons.get(name) ?? NOT_AN_ANSWER;
      return [{ kind: 'answer', name, code, detail, value }];
    });
    const withoutQuestion = dropped.flatMap(({ column: name, code, detail, value }): readonly UnreadValue[] =>
      value === undefined ? [] : [{ kind: 'answer', name, code, detail, value }],
    );
    const values = [...unread, ...unfit, ...withoutQuestion];
    const kept = keepIn(details.metadata, values, { keeps: onInvalidAnswer === 'keep', renameColumns });
    return {
      ...details,
      ...times.valid,
      ...(isUnfinished ? { status } : {}),
      language: unread.some(({ kind, name }) => kind === 'response' && name === 'language')
        ? undefined
        : details.language,
      metadata: kept.metadata,
      // Normalised answers are a read-only subtype of JSON.
      answers: data as JsonObject,
      omissions: [
        ...kept.omissions,
        ...errors.filter(isMissing).map(toMissing),
        ...dropped.filter(({ value }) => value === undefined).map(toDropped),
      ],
      isPartial: kept.omissions.length > 0 || dropped.length > 0,
      allowsMissing,
    };
  };
}

function toMissing({ code, detail, question_id: column = '' }: AnswerProblem): Omission {
  return { column, code, detail, action: 'missing' };
}

function toDropped({ column, code, detail, keptAs }: DroppedValue): Omission {
  return { column, code, detail, action: keptAs === undefined ? 'dropped' : 'kept' };
}

const NO_SPLITS: ReadonlyMap<string, SplitAnswer> = new Map();

interface Splitting {
  readonly splitAnswer: SplitAnswerOf;
  readonly validate: (answers: JsonObject) => Validation;
}

/**
 * Divides the invalid answers of which a part is valid, by question. Logic sees the valid parts: it can hide a question
 * that had some, or show one whose answer must be divided too.
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

const NOT_AN_ANSWER = { code: 'WRONG_TYPE', detail: 'the value is not an answer' };

/** The times of a response, and those that RFC 3339 cannot express. An unfinished response has no time of completion. */
function timesOf({ startedAt, completedAt }: ReadResponse, isUnfinished: boolean) {
  const times = [
    ['started_at', startedAt],
    ['completed_at', completedAt],
  ] as const;
  const unread = times.flatMap(([name, time]): readonly UnreadValue[] => {
    if (time === undefined || canBeWritten(time)) return [];
    const detail = 'the times must be in the years 1 to 9999';
    return [{ kind: 'response', name, code: 'INVALID_TIME', detail, value: time.toISOString() }];
  });
  return {
    valid: {
      startedAt: canBeWritten(startedAt) ? startedAt : undefined,
      completedAt: isUnfinished || !canBeWritten(completedAt) ? undefined : completedAt,
    },
    unread,
  };
}

function canBeWritten(time: Date | undefined): boolean {
  const year = time?.getUTCFullYear() ?? 1;
  return year >= 1 && year <= 9_999;
}

function languagesOf({ survey }: JsonObject): ReadonlySet<string> {
  const declared = itemsOf(isObject(survey) ? survey['supported_languages'] : undefined);
  return new Set(declared.map((language) => String(language).toLowerCase()));
}

function languageProblem({ language }: ReadResponse, declared: ReadonlySet<string>): readonly UnreadValue[] {
  if (language === undefined || declared.has(language.toLowerCase())) return [];
  const detail = 'must be one of the supported languages of the survey';
  return [{ kind: 'response', name: 'language', code: 'UNDECLARED_LANGUAGE', detail, value: language }];
}

/** Whether all answers are to questions that the survey does not have. */
function isOfOtherSurvey(answers: number, problems: readonly ResponseProblem[]): boolean {
  return answers > 0 && problems.length >= answers && problems.every(({ code }) => code === 'UNKNOWN_QUESTION');
}

interface Keeping {
  readonly keeps: boolean;
  readonly renameColumns: (values: JsonObject) => JsonObject;
}

/** Adds values to the metadata, as far as they fit, and lists what becomes of each. */
function keepIn(metadata: JsonObject | undefined, values: readonly UnreadValue[], { keeps, renameColumns }: Keeping) {
  const before = metadata?.[KEPT_ANSWERS];
  const kept: JsonObject = isObject(before) ? { ...renameColumns(before as JsonObject) } : {};
  const given = metadata === undefined || !isObject(before) ? metadata : { ...metadata, [KEPT_ANSWERS]: kept };
  if (values.length === 0) return { metadata: given, omissions: [] };
  let left = MAX_METADATA - RESERVED - (given === undefined ? 0 : bytesOf(given));
  let isAnyKept = false;
  const omissions = values.map(({ name: column, code, detail, value: valueInFile }): Omission => {
    // New ids can be longer.
    const [[name, value] = [column, valueInFile]] = Object.entries(renameColumns({ [column]: valueInFile }));
    const size = bytesOf(name) + bytesOf(value) + 2;
    const isKept = keeps && value !== null && size <= left && !Object.hasOwn(kept, name);
    if (isKept) {
      left -= size;
      isAnyKept = true;
      setMember(kept, name, value);
    }
    return { column, code, detail, action: isKept ? 'kept' : 'dropped' };
  });
  return { metadata: isAnyKept ? { ...given, [KEPT_ANSWERS]: kept } : given, omissions };
}

/** All problems, as far as they fit into an error. */
function quote(problems: readonly ResponseProblem[]): string {
  let text = '';
  for (const [position, { column, code, detail, path }] of problems.entries()) {
    // Details of a reader contain their location.
    const one = path === undefined && problems.length === 1 ? detail : `${path ?? column} ${code}: ${detail}`;
    if (position > 0 && text.length + one.length > MAX_QUOTED) return `${text}; and ${problems.length - position} more`;
    text += position === 0 ? one : `; ${one}`;
  }
  return text;
}
