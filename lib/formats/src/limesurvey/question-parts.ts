import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createUniqueOptionIds } from '../core/ids.ts';
import { MAX_TEXT } from '../core/source-data.ts';
import { isEmptyText, joinTexts, type Text, toJsonText } from '../core/texts.ts';
import type { DateParts } from './date-rules.ts';
import type { LssItem, LssQuestion } from './lss-survey.ts';
import type { RuleReader } from './text-rules.ts';

/** A converted question. A LimeSurvey question can become several parts. */
export interface Part {
  /** Prefix of its column names in exports: `Q1`, `Q1[SQ001]`. */
  readonly sourceId: string;
  /** Prefix of its variables in expressions: `Q1`, `Q1_SQ001`. */
  readonly variable: string;
  readonly path: string;
  /** Members except `id` and `source_data`. */
  readonly members: JsonObject;
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

/** The part of the whole question. Its members are also the base of other parts. */
export function mainPart(question: LssQuestion, members: JsonObject): Part {
  const help = question.text('help');
  return {
    sourceId: question.code,
    variable: question.code,
    path: question.row.path,
    members: {
      ...members,
      title: toJsonText(titleOf(question)),
      ...(isEmptyText(help) ? {} : { description: toJsonText(help) }),
      required: isMandatory(question) && showsAllItems(question),
    },
  };
}

/** The part of one subquestion, if each subquestion becomes a question. */
export function partOf(question: LssQuestion, item: LssItem, members: JsonObject): Part {
  const { members: base } = mainPart(question, members);
  const title = joinTexts(titleOf(question), item.label, SEPARATOR);
  return {
    sourceId: `${question.code}[${item.code}]`,
    variable: `${question.code}_${item.code}`,
    path: item.row.path,
    members: { ...base, title: toJsonText(title) },
  };
}

export function commentPart(question: LssQuestion, sourceId: string, title: Text, choice?: string): Part {
  return {
    sourceId,
    variable: sourceId.replace('[', '_').replace(']', ''),
    path: question.row.path,
    members: { type: 'textarea', title: toJsonText(title), required: false },
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
