import type { ApiError } from '@survey/client';
import type { AnswerCode, Question } from '@survey/questionnaire';
import { primaryOf } from '../session/languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** The texts of a screen without questions. */
export interface ScreenText {
  readonly title: string;
  readonly text: string;
}

/** The texts of the page in one language. Texts of surveys come from their definitions. */
export interface Messages {
  /** Language tag of these texts. */
  readonly tag: string;
  readonly loading: string;
  readonly start: string;
  readonly next: string;
  readonly back: string;
  readonly submit: string;
  readonly retry: string;
  readonly restart: string;
  readonly clear: string;
  readonly required: string;
  readonly language: string;
  readonly choose: string;
  readonly other: string;
  readonly otherText: string;
  readonly page: (number: number, count: number) => string;
  /** The number that was typed with a decimal comma: as the language writes it, and with a point. */
  readonly understood: (local: string, plain: string) => string;
  readonly checkAnswers: string;
  readonly noQuestions: string;
  readonly preview: string;

  readonly addFiles: string;
  readonly remove: (name: string) => string;
  readonly uploading: (name: string) => string;
  readonly uploaded: (name: string) => string;
  readonly uploadRunning: string;
  readonly removeFailedUploads: string;
  readonly uploadFailed: string;
  readonly fileTooLarge: string;
  readonly fileKindRefused: string;
  /** Precedes the names of the files that are not uploaded. */
  readonly tooManyFiles: string;

  readonly keepOnDevice: string;
  readonly keepOnDeviceHint: string;
  readonly notSaved: string;
  readonly sending: string;
  readonly noConnection: string;
  readonly offlineAnswersKept: string;
  readonly busy: string;
  readonly rejected: string;

  readonly passwordTitle: string;
  readonly passwordLabel: string;
  readonly passwordSubmit: string;
  readonly passwordWrong: string;
  readonly passwordLater: (seconds: number) => string;

  readonly thankYou: ScreenText;
  readonly disqualified: ScreenText;
  readonly notFound: ScreenText;
  readonly notOpenYet: ScreenText;
  readonly closed: ScreenText;
  readonly full: ScreenText;
  readonly linkNeeded: ScreenText;
  readonly linkExpired: ScreenText;
  readonly linkUsed: ScreenText;
  readonly alreadySubmitted: ScreenText;
  /** Another device has begun the response, and only that one can continue. */
  readonly elsewhere: ScreenText;
  /** Another device has saved answers, which are listed below. */
  readonly changed: ScreenText;
  readonly onOtherDevice: string;
  readonly onThisDevice: string;
  readonly noAnswer: string;
  readonly failed: ScreenText;
  readonly requestId: (id: string) => string;

  readonly hints: {
    readonly length: (max: number) => string;
    readonly selections: (min: number, max: number | undefined) => string;
    readonly range: (min: string, max: string) => string;
    readonly atLeast: (min: string) => string;
    readonly atMost: (max: string) => string;
    readonly rows: (count: number) => string;
    readonly files: (max: number) => string;
  };
  readonly problems: {
    readonly required: string;
    readonly format: Readonly<Record<'email' | 'url' | 'phone' | 'number' | 'integer' | 'date' | 'time', string>>;
    readonly pattern: string;
    readonly otherText: string;
    readonly exclusive: string;
    readonly tooComplex: string;
    readonly tooShort: (min: number) => string;
    readonly invalid: string;
  };
}

/** Respondents rarely reach a limit of this many characters, so they need no hint about it. */
const UNUSUAL_LENGTH = 1_000;

const ALL: readonly Messages[] = [en, ar, de, es, fr];

/** The languages of the texts, English first. */
export const messageLanguages: readonly string[] = ALL.map(({ tag }) => tag);

/** Finds the texts for a language; English ones if there are none. */
export function messagesFor(language: string): Messages {
  return ALL.find(({ tag }) => tag === primaryOf(language)) ?? en;
}

/** Explains the limits for the answer to a question; empty if there are none. */
export function hintFor({ hints }: Messages, question: Question): string {
  switch (question.type) {
    case 'multiple_choice': {
      const { minSelections: min, maxSelections: max } = question;
      return min <= 1 && max === undefined ? '' : hints.selections(min, max);
    }
    case 'likert':
    case 'matrix':
      return question.required && question.requiredRows < question.rows.length ? hints.rows(question.requiredRows) : '';
    case 'rating':
      return question.values === undefined ? hints.range(String(question.min), String(question.max)) : '';
    case 'date':
    case 'time':
      return rangeHint(hints, question.min, question.max);
    case 'file_upload':
      return question.maxFiles === 1 ? '' : hints.files(question.maxFiles);
    case 'text':
    case 'textarea':
      return question.maxLength < UNUSUAL_LENGTH ? hints.length(question.maxLength) : '';
    default:
      return '';
  }
}

type Explain = (messages: Messages, question: Question) => string;

const invalid: Explain = ({ problems }) => problems.invalid;
const hintOrInvalid: Explain = (messages, question) => hintFor(messages, question) || messages.problems.invalid;

const PROBLEMS: Readonly<Record<AnswerCode | 'UPLOAD_RUNNING' | 'FILES_NOT_UPLOADED', Explain>> = {
  REQUIRED: (messages, question) => ('rows' in question && hintFor(messages, question)) || messages.problems.required,
  UPLOAD_RUNNING: ({ uploadRunning }) => uploadRunning,
  FILES_NOT_UPLOADED: ({ removeFailedUploads }) => removeFailedUploads,
  OTHER_TEXT_REQUIRED: ({ problems }) => problems.otherText,
  EXCLUSIVE_OPTION: ({ problems }) => problems.exclusive,
  PATTERN_MISMATCH: ({ problems }) => problems.pattern,
  TOO_SHORT: ({ problems }, question) =>
    'minLength' in question ? problems.tooShort(question.minLength) : problems.invalid,
  TOO_COMPLEX: ({ problems }) => problems.tooComplex,
  TOO_LONG: ({ hints, problems }, question) =>
    'maxLength' in question ? hints.length(question.maxLength) : problems.invalid,
  TOO_FEW: hintOrInvalid,
  TOO_MANY: hintOrInvalid,
  OUT_OF_RANGE: (messages, question) =>
    question.type === 'rating'
      ? messages.hints.range(String(question.min), String(question.max))
      : hintOrInvalid(messages, question),
  BAD_FORMAT: formatProblem,
  WRONG_TYPE: formatProblem,
  // The page sends no such answers, unless the survey has changed.
  UNKNOWN_QUESTION: invalid,
  HIDDEN_QUESTION: invalid,
  UNKNOWN_OPTION: invalid,
  INACTIVE_OPTION: invalid,
  UNKNOWN_ROW: invalid,
  AMBIGUOUS_OPTION: invalid,
  DUPLICATE_OPTION: invalid,
  OTHER_NOT_ALLOWED: invalid,
};

/** Explains an error in an answer. The platform explains errors in English only, but their codes are stable. */
export function problemText(messages: Messages, question: Question, code: string): string {
  // A newer platform can have other codes.
  const explain = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS] : invalid;
  return explain(messages, question);
}

function formatProblem({ problems: { format, invalid } }: Messages, question: Question): string {
  switch (question.type) {
    case 'date':
    case 'time':
      return format[question.type];
    case 'rating':
      return format.number;
    case 'text':
      return question.format === undefined ? invalid : format[question.format];
    default:
      return invalid;
  }
}

function rangeHint(hints: Messages['hints'], min: string | undefined, max: string | undefined): string {
  if (min !== undefined && max !== undefined) return hints.range(min, max);
  if (min !== undefined) return hints.atLeast(min);
  return max === undefined ? '' : hints.atMost(max);
}

/** Explains why a password does not open a link. */
export function describePasswordError(messages: Messages, error: ApiError): string {
  if (error.code === 'LINK_PASSWORD_WRONG') return messages.passwordWrong;
  if (error.status === 429) return messages.passwordLater(error.retryAfterSeconds ?? 60);
  return error.status === 0 ? messages.noConnection : messages.failed.text;
}
