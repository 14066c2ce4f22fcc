import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/patterns/pattern';
import { LIMITS } from '@survey/questionnaire/limits';
import { createUniqueOptionIds } from '../core/ids.ts';
import { existingDay } from '../core/responses/times.ts';
import { MAX_TEXT } from '../core/source-data.ts';
import { isEmptyText, joinTexts, type Text, toJsonText } from '../core/texts.ts';
import type { LssItem, LssQuestion } from './document.ts';

/** A converted question. A LimeSurvey question can become several parts. */
export interface Part {
  /** Prefix of its column names in exports: `Q1`, `Q1[SQ001]`. */
  readonly sourceId: string;
  /** Prefix of its variables in expressions: `Q1`, `Q1_SQ001`. */
  readonly variable: string;
  readonly path: string;
  readonly title: Text;
  readonly description?: Text;
  /** Type, options, limits. */
  readonly members: JsonObject;
  readonly required: boolean | 'in_tool';
  /** Only in parts of date questions: `date` or `time`. */
  readonly moment?: DateParts;
  /** Only in parts of questions with two scales. */
  readonly scale?: 1 | 2;
  /** Only in comments on a choice: the code of the choice. The comment is asked if the choice is chosen. */
  readonly choice?: string;
}

export interface BuildContext {
  readonly rules: RuleReader;
  readonly languages: readonly string[];
  /** Emits a warning at a question, unless there is one with the same code and detail. */
  warnOfQuestion(question: LssQuestion, code: string, detail: string): void;
}

/** Converts a LimeSurvey question to parts. */
export type Build = (question: LssQuestion, context: BuildContext) => Iterable<Part>;

export const SEPARATOR = ' – ';

export function isMandatory({ row, attributes }: LssQuestion): boolean {
  return row.get('mandatory') === 'Y' && attributes.get('hidden') !== '1';
}

/** Whether all respondents see all subquestions of a question. */
export function showsAllItems({ subquestions, attributes }: LssQuestion): boolean {
  const isFiltered = ['array_filter', 'array_filter_exclude'].some((name) => attributes.get(name)?.trim());
  return !isFiltered && subquestions.every((items) => items.every(isAlwaysShown));
}

export function isAlwaysShown({ relevance }: LssItem): boolean {
  return relevance === '' || relevance === '1';
}

export function titleOf(question: LssQuestion): Text {
  const title = question.text('question');
  return isEmptyText(title) ? question.code : title;
}

/** The part of the whole question. */
export function mainPart(question: LssQuestion, members: JsonObject): Part {
  return {
    sourceId: question.code,
    variable: question.code,
    path: question.row.path,
    title: titleOf(question),
    description: question.text('help'),
    members,
    required: isMandatory(question) && !showsAllItems(question) ? 'in_tool' : isMandatory(question),
  };
}

/** The part of one subquestion, if each subquestion becomes a question. */
export function partOf(question: LssQuestion, item: LssItem, members: JsonObject): Part {
  return {
    ...mainPart(question, members),
    sourceId: `${question.code}[${item.code}]`,
    variable: `${question.code}_${item.code}`,
    path: item.row.path,
    title: joinTexts(titleOf(question), item.label, SEPARATOR),
  };
}

export function commentPart(question: LssQuestion, sourceId: string, title: Text, choice?: string): Part {
  return {
    sourceId,
    variable: sourceId.replace('[', '_').replace(']', ''),
    path: question.row.path,
    title,
    members: { type: 'textarea' },
    required: false,
    ...(choice === undefined ? {} : { choice }),
  };
}

export function toOptions(items: readonly LssItem[], exclusive: ReadonlySet<string> = new Set()): JsonValue[] {
  const toUniqueId = createUniqueOptionIds();
  return items.map(({ code, label }) => ({
    id: toUniqueId(code),
    text: toJsonText(isEmptyText(label) ? code : label),
    ...(exclusive.has(code) ? { exclusive: true } : {}),
    source_data: { source_id: code },
  }));
}

/** Options that LimeSurvey defines itself. */
export function builtInOptions(options: Readonly<Record<string, string>>): JsonValue[] {
  return Object.entries(options).map(([code, text]) => ({ id: code, text, source_data: { source_id: code } }));
}

export function warnOfBuiltInWords(question: LssQuestion, { languages, warnOfQuestion }: BuildContext): void {
  if (languages.every((language) => language.startsWith('en'))) return;
  const detail = 'Built-in answers such as Yes and No are in English in all languages';
  warnOfQuestion(question, 'NOT_TRANSLATED', detail);
}

/** Replaces a question that lacks options or rows by a text question. */
export const buildWithoutOptions: Build = (question, { warnOfQuestion }) => {
  warnOfQuestion(question, 'NO_SUCH_TYPE', `${question.code} lacks choices or rows, and becomes a text`);
  return [mainPart(question, { type: 'text', max_length: MAX_TEXT })];
};

/** Maximum length that is tried when a pattern is too costly for MAX_TEXT. */
const SHORT_TEXT = 1_000;
const MAX_STEPS = 1_000_000;

/** Converts the validation rules of text questions. Warns about rules that cannot be converted. */
export interface RuleReader {
  /** The type and the validation rules of a text question. */
  text(question: LssQuestion, type: 'text' | 'textarea'): JsonObject;
  /** Reads an attribute with an integer of at most nine digits; undefined for other values, such as an expression. */
  readInteger(question: LssQuestion, name: string): number | undefined;
  /** Whether `text` has warned about the pattern of a question. */
  hasPatternWarning(question: LssQuestion): boolean;
  /** Warns that a date with a time becomes two questions. */
  warnOfMoments(question: LssQuestion): void;
}

type WarnOfQuestion = (question: LssQuestion, code: string, detail: string) => void;

export function createRuleReader(warnOfQuestion: WarnOfQuestion): RuleReader {
  const compilePattern = createPatternCompiler();
  const withPatternWarning = new Set<LssQuestion>();
  let stepsLeft: number = LIMITS.steps;
  const patternOf = (question: LssQuestion, type: string, lengths: readonly number[]): JsonObject => {
    const written = question.row.get('preg');
    if (written === '') return {};
    const pattern = (type === 'text' ? toPattern(written) : undefined) ?? '';
    let reason = '';
    for (const length of pattern === '' ? [] : lengths) {
      const compiled = compilePattern(pattern, length);
      if (typeof compiled !== 'function') reason = `: ${compiled.fault}`;
      else if (compiled.size * length > stepsLeft) reason = ': the patterns of the survey are too large together';
      else {
        stepsLeft -= compiled.size * length;
        return { pattern, max_length: length };
      }
    }
    withPatternWarning.add(question);
    const detail = `The pattern of ${question.code} is not supported and is kept in source_data`;
    warnOfQuestion(question, 'KEPT_AS_SOURCE_DATA', `${detail}${reason}`);
    return {};
  };
  const readInteger = ({ attributes }: LssQuestion, name: string) => {
    const value = attributes.get(name)?.trim() ?? '';
    return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  };
  return {
    readInteger,
    hasPatternWarning: (question) => withPatternWarning.has(question),
    text: (question, type) => {
      if (type === 'text' && question.attributes.get('numbers_only') === '1') return { type, format: 'number' };
      const limit = readInteger(question, 'maximum_chars');
      // A pattern can be too costly for long texts. Then the shorter limit is tried.
      const lengths = limit ? [limit] : [MAX_TEXT, SHORT_TEXT];
      return { type, max_length: limit || MAX_TEXT, ...patternOf(question, type, lengths) };
    },
    warnOfMoments: (question) =>
      warnOfQuestion(
        question,
        'NO_SUCH_TYPE',
        `${question.code} asks for a date with a time and becomes two questions`,
      ),
  };
}

/** Converts `/^a$/i` to RE2 syntax. */
function toPattern(written: string): string | undefined {
  const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written.trim()) ?? [];
  if (body === '' || !/^[iu]*$/.test(flags)) return undefined;
  return `${flags.includes('i') ? '(?i)' : ''}${body.replaceAll('\\/', '/')}`;
}

export function readNumberRules({ attributes }: LssQuestion): JsonObject {
  return { type: 'text', format: attributes.get('num_value_int_only') === '1' ? 'integer' : 'number' };
}

/**
 * Converts a number list or slider to a rating; undefined if its limits are not numbers. A list without limits has the
 * numbers from 1 to 10; with only a minimum, it ends 10 after it.
 */
export function readRange({ attributes }: LssQuestion, kind: 'multiflexible' | 'slider'): JsonObject | undefined {
  const read = (name: string, otherwise?: number) => {
    const value = attributes.get(`${kind}_${name}`)?.trim() ?? '';
    if (value === '') return otherwise;
    return Number.isFinite(Number(value)) ? Number(value) : undefined;
  };
  const isList = kind === 'multiflexible';
  const min = read('min', isList ? 1 : undefined);
  const hasMin = (attributes.get(`${kind}_min`)?.trim() ?? '') !== '';
  const max = read('max', isList && min !== undefined ? (hasMin ? min + 10 : 10) : undefined);
  const step = read(isList ? 'step' : 'accuracy', 1);
  if (min === undefined || max === undefined || step === undefined) return undefined;
  if (min > max || step <= 0 || (max - min) / step > MAX_STEPS) return undefined;
  return { type: 'rating', min, max, ...(step === 1 ? {} : { step }) };
}

export type DateParts = 'date' | 'time';

/** The parts that a date format asks for; without a format, the date. */
export function datePartsOf(format: string): DateParts | 'both' {
  const hasDate = format === '' || /[dmy]/.test(format);
  const hasTime = /H|MM/.test(format);
  if (hasDate) return hasTime ? 'both' : 'date';
  return hasTime ? 'time' : 'date';
}

/** Converts limits that are a day or year. Expressions and relative dates are ignored. */
export function readDateLimits(attributes: ReadonlyMap<string, string>): JsonObject {
  const [min, max] = [toDay(attributes.get('date_min'), '01-01'), toDay(attributes.get('date_max'), '12-31')];
  if (min !== undefined && max !== undefined && min > max) return {};
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

export function isDay(value: string | undefined): boolean {
  return toDay(value, '01-01') !== undefined;
}

/** Reads a day or a year. `end` completes a year to a day, such as `01-01`. */
function toDay(value: string | undefined, end: string): string | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{4}$/.test(text)) return `${text}-${end}`;
  return existingDay(/^\d{4}-\d{2}-\d{2}(?= 00:00|$)/.exec(text)?.[0]);
}
