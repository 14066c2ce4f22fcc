import type { JsonObject } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { nameLanguages } from '@survey/questionnaire/definition/language-tag';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { findLanguage } from '@survey/questionnaire/labels';
import {
  checkMetadataFields,
  type MetadataField,
  readMetadataFields,
} from '@survey/questionnaire/metadata/metadata-fields';
import { bytesOf } from '../source-data.ts';
import { createFitAnswers, type FittedAnswers, isMissing, type SurveyToFit } from './fit-answers.ts';
import { keepInMetadata, type RenameColumns, renameKept } from './metadata.ts';
import {
  type FileResponse,
  isRejected,
  locationOf,
  MAX_METADATA,
  type Omission,
  type ParsedResponse,
  type RejectedResponse,
  type ResponseDetails,
  type RowLocation,
  type UnassignedValue,
  type UnusableValue,
} from './response.ts';

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
  extends ResponseDetails,
    RowLocation,
    Pick<ParsedResponse, 'index' | 'id' | 'answers' | 'status'> {
  readonly omissions: readonly Omission[];
  /** Whether a value of the file is not stored as an answer: it is lost, or only in the metadata. */
  readonly lacksValues: boolean;
  /** Whether answers to required questions may be missing. */
  readonly allowsMissing: boolean;
}

/** A response that the options of the import leave out, or a row that is no response. */
export interface LeftOutResponse extends RowLocation, Pick<ParsedResponse, 'index' | 'id'> {
  readonly isLeftOut: true;
}

export type JudgedResponse = FittedResponse | RejectedResponse | LeftOutResponse;

interface Options extends SurveyToFit {
  readonly policy: AnswerPolicy;
  /** By default, names stay. */
  readonly renameColumns?: RenameColumns;
}

export function isLeftOut(response: JudgedResponse): response is LeftOutResponse {
  return 'isLeftOut' in response;
}

/**
 * Judges the responses of a file. Makes the answers of a response fit the survey, or rejects the response with all its
 * problems. Imports and dry runs of all tools use this function.
 *
 * Values that are not stored as answers, times or language:
 *
 * - `unusable`: the reader of the file could not convert it, or it is a time, language or declared metadata that cannot
 *   be stored.
 * - `unfit`: the survey does not allow it as an answer.
 * - `unassigned`: no question takes it.
 *
 * With `reject`, the first two reject their response; `unassigned` never does. With `keep`, the metadata gets each value
 * that the reader has not put there. All values are reported as omissions.
 */
export function createFitResponse({
  policy,
  renameColumns = (values) => values,
  ...survey
}: Options): (response: FileResponse) => JudgedResponse {
  const isTolerant = policy.onInvalidAnswer !== 'reject';
  const languages = languagesOf(survey.payload);
  const fields = readMetadataFields(survey.payload['settings']);
  const fitAnswers = createFitAnswers(survey, isTolerant);

  return (response) => {
    if (isRejected(response)) return response;
    const { status, unread = [], unassigned = [] } = response;
    const located = { index: response.index, id: response.id, ...locationOf(response) };
    if (isToLeaveOut(response, policy)) return { ...located, isLeftOut: true };
    const staysUnfinished = status !== undefined && policy.partialResponses !== 'completed';
    const times = fitTimes(response, staysUnfinished);
    const language = fitLanguage(response, languages);
    const declared = fitDeclared(response, fields);
    const unusable = [...unread, ...times.unusable, ...language.unusable, ...declared.unusable];
    // The language decides how a comma in a number is read, even if the survey does not declare this language.
    const options = { partial: status !== undefined, language: response.language };
    const fitted = fitAnswers(response.answers, unusable, options);
    const allowsMissing = isTolerant || status !== undefined;
    const metadata = renameKept(declared.valid, renameColumns);

    const error =
      (isTolerant ? undefined : invalidAnswersError(unusable, fitted, allowsMissing)) ??
      // Respondents can leave before they answer, so only finished responses need an answer.
      (staysUnfinished ? undefined : noAnswersError(response, unusable, fitted)) ??
      metadataError(metadata);
    if (error !== undefined) return { ...located, ...error };

    const values = [...unusable, ...fitted.unfit, ...unassigned.flatMap(valuesToKeep)];
    const kept = keepInMetadata(metadata, values, { keepsValues: policy.onInvalidAnswer === 'keep', renameColumns });
    return {
      ...located,
      externalId: response.externalId,
      ...times.valid,
      ...(staysUnfinished ? { status } : {}),
      language: language.valid,
      metadata: kept.metadata,
      answers: fitted.data,
      omissions: [
        ...kept.omissions,
        ...fitted.problems
          .filter(isMissing)
          .map((problem) => ({ ...problemOfAnswer(problem), action: 'missing' }) as const),
        ...unassigned.flatMap(omissionsOfKept),
      ],
      lacksValues: kept.omissions.length > 0 || unassigned.length > 0,
      allowsMissing,
    };
  };
}

function isToLeaveOut({ isNoResponse = false, isTest = false, status }: ParsedResponse, policy: AnswerPolicy): boolean {
  const isUnwanted = status !== undefined && policy.partialResponses === 'leave_out';
  return isNoResponse || (isTest && !policy.includeTests) || isUnwanted;
}

/**
 * Splits the times of a response into valid ones, and ones in a year that RFC 3339 cannot write. Unfinished responses
 * have no `completedAt`. If the file has only this time, it becomes their start.
 */
function fitTimes({ startedAt, completedAt }: ParsedResponse, staysUnfinished: boolean) {
  const times = [
    ['started_at', startedAt],
    ['completed_at', completedAt],
  ] as const;
  const unusable = times.flatMap(([name, time]): readonly UnusableValue[] => {
    if (time === undefined || hasRfc3339Year(time)) return [];
    const detail = 'the times must be in the years 1 to 9999';
    return [{ kind: 'response', name, code: 'INVALID_TIME', detail, value: time.toISOString() }];
  });
  const start = startedAt ?? (staysUnfinished ? completedAt : undefined);
  return {
    valid: {
      startedAt: hasRfc3339Year(start) ? start : undefined,
      completedAt: staysUnfinished || !hasRfc3339Year(completedAt) ? undefined : completedAt,
    },
    unusable,
  };
}

function hasRfc3339Year(time: Date | undefined): boolean {
  const year = time?.getUTCFullYear() ?? 1;
  return year >= 1 && year <= 9_999;
}

function languagesOf({ survey }: JsonObject): readonly string[] {
  return itemsOf(isObject(survey) ? survey['supported_languages'] : undefined).map(String);
}

/** Splits the metadata of a response into valid values, and those that do not fit their fields. */
function fitDeclared({ metadata }: ParsedResponse, fields: readonly MetadataField[]) {
  const problems = metadata === undefined ? [] : checkMetadataFields(fields, metadata).problems;
  if (problems.length === 0) return { valid: metadata, unusable: [] };
  const rest = { ...metadata };
  const unusable = problems.map(({ name, code, detail }): UnusableValue => {
    const value = rest[name] ?? null;
    delete rest[name];
    return { kind: 'response', name: `metadata.${name}`, code, detail, value };
  });
  return { valid: Object.keys(rest).length === 0 ? undefined : rest, unusable };
}

/** Finds the language of a response among the languages of the survey. */
function fitLanguage({ language }: ParsedResponse, languages: readonly string[]) {
  const valid = language === undefined ? undefined : findLanguage(languages, [language]);
  const detail = `the language must be one of the languages of the survey: ${nameLanguages(languages)}`;
  const unusable: readonly UnusableValue[] =
    language === undefined || valid !== undefined
      ? []
      : [{ kind: 'response', name: 'language', code: 'UNDECLARED_LANGUAGE', detail, value: language }];
  return { valid, unusable };
}

/** A problem of a response, at a question or a column. */
type ResponseProblem = Pick<Omission, 'column' | 'code' | 'detail'> & {
  /** Path of the answer; undefined for an `unusable` value. */
  readonly path?: string;
};

type ResponseError = Pick<RejectedResponse, 'code' | 'detail' | 'column'>;

/** The error for a response with invalid answers; undefined if it has none. */
function invalidAnswersError(
  unusable: readonly UnusableValue[],
  { problems: invalid }: FittedAnswers,
  allowsMissing: boolean,
): ResponseError | undefined {
  const counted = allowsMissing ? invalid.filter((problem) => !isMissing(problem)) : invalid;
  const problems: readonly ResponseProblem[] = [
    ...unusable.map(problemOfValue),
    ...counted.map((problem) => ({ ...problemOfAnswer(problem), path: problem.path })),
  ];
  const [first, ...more] = problems;
  if (first === undefined) return undefined;
  // A single problem with a value needs no name: its detail is a sentence, and the error has its column.
  const isOfReader = more.length === 0 && first.path === undefined;
  return isOfReader
    ? toError(first.code, first.detail, first)
    : toError('INVALID_ANSWERS', joinProblems(problems), first);
}

/** The error for a response that has answers, of which none can be stored. */
function noAnswersError(
  { unassigned = [], hasAnswersInMetadata }: ParsedResponse,
  unusable: readonly UnusableValue[],
  { data, unfit }: FittedAnswers,
): ResponseError | undefined {
  // An answer that logic hides fits its question, so the response is not of another survey.
  const fitsAny = Object.keys(data).length > 0 || unfit.some(({ code }) => code === 'HIDDEN_QUESTION');
  if (hasAnswersInMetadata === true || fitsAny) return undefined;
  const problems = [
    ...[...unusable, ...unfit].filter(({ kind }) => kind === 'answer').map(problemOfValue),
    ...unassigned.filter(isGivenAnswer),
  ];
  const [first] = problems;
  const detail = `The response has no answer that fits the survey; it may belong to another survey: ${joinProblems(problems)}`;
  return first && toError('NO_ANSWERS', detail, first);
}

function metadataError(metadata: JsonObject | undefined): ResponseError | undefined {
  if (metadata === undefined || bytesOf(metadata) <= MAX_METADATA) return undefined;
  const detail = `metadata TOO_LARGE: must not exceed ${MAX_METADATA} bytes of JSON`;
  return { code: 'TOO_LARGE', detail, column: 'metadata' };
}

function toError(code: string, detail: string, { column }: ResponseProblem): ResponseError {
  return { code, detail, ...(column === '' ? {} : { column }) };
}

function problemOfValue({ name: column, code, detail }: UnusableValue): ResponseProblem {
  return { column, code, detail };
}

function problemOfAnswer({ question_id: column = '', code, detail }: FittedAnswers['problems'][number]) {
  return { column, code, detail };
}

/** Codes of unassigned values that are answers of a respondent. */
const CODES_OF_ANSWERS: readonly string[] = ['UNKNOWN_QUESTION', 'UNKNOWN_COLUMN', 'NOT_AN_ANSWER'];

function isGivenAnswer({ code, value, isNoAnswer }: UnassignedValue): boolean {
  return CODES_OF_ANSWERS.includes(code) && isNoAnswer !== true && (value === undefined || !isUnanswered(value));
}

/** Converts an unassigned value that the reader has not kept in the metadata. */
function valuesToKeep({ column: name, code, detail, value }: UnassignedValue): readonly UnusableValue[] {
  return value === undefined ? [] : [{ kind: 'answer', name, code, detail, value }];
}

/** Reports an unassigned value that the reader has kept in the metadata, or lost. */
function omissionsOfKept({ column, code, detail, value, keptAs }: UnassignedValue): readonly Omission[] {
  return value === undefined ? [{ column, code, detail, action: keptAs === undefined ? 'dropped' : 'kept' }] : [];
}

/** Maximum characters of the detail of a rejected response, which joins its problems. */
const MAX_DETAIL = 1_000;

/** Joins the problems to one error detail of limited length. The first problem is always whole. */
function joinProblems(problems: readonly ResponseProblem[]): string {
  let text = '';
  for (const [position, { column, code, detail, path = column }] of problems.entries()) {
    const one = `${path} ${code}: ${detail}`;
    if (position > 0 && text.length + one.length > MAX_DETAIL) return `${text}; and ${problems.length - position} more`;
    text += position === 0 ? one : `; ${one}`;
  }
  return text;
}
