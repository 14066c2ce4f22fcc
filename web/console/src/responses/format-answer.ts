import type { Question, QuestionItem, QuestionOf } from '@survey/questionnaire';
import { fileIdsOf, isUnanswered, OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject } from '@survey/questionnaire/json';

/** An answer as texts for people. */
export type FormattedAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  /** Chosen options. */
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** The answered rows. */
  | { readonly kind: 'rows'; readonly rows: readonly { readonly row: string; readonly items: readonly string[] }[] }
  | { readonly kind: 'files'; readonly ids: readonly string[] };

const NONE: FormattedAnswer = { kind: 'none' };

/**
 * Formats an answer: texts of options in place of ids, dates and numbers as usual in the language. An answer that does
 * not fit the question is shown as JSON.
 *
 * @param question undefined for an answer to a question that the version does not have, or whose type is unknown
 * @param language a language tag; if the browser does not know the language, its default language is used
 */
export function formatAnswer(question: Question | undefined, answer: unknown, language: string): FormattedAnswer {
  if (isUnanswered(answer)) return NONE;
  if (question === undefined) return asText(answer);
  switch (question.type) {
    case 'single_choice':
      return formatChoice(question.options, answer);
    case 'multiple_choice':
      return formatChoices(question.options, answer);
    case 'rating':
      return formatRating(question, answer, language);
    case 'likert':
      return question.rows.length === 0
        ? formatChoice(question.options, answer)
        : formatRows(question.rows, question.options, answer);
    case 'matrix':
      return formatRows(question.rows, question.columns, answer);
    case 'date':
      return formatDate(answer, language);
    case 'time':
      return formatTime(answer, language);
    case 'file_upload':
      return formatFiles(answer);
    case 'text':
    case 'textarea':
      return asText(answer);
  }
}

/** An answer as one line, such as for a cell of a table. Empty if there is none. */
export function toLine(answer: FormattedAnswer): string {
  switch (answer.kind) {
    case 'none':
      return '';
    case 'text':
      return answer.text;
    case 'list':
      return answer.items.join(', ');
    case 'rows':
      return answer.rows.map(({ row, items }) => `${row}: ${items.join(', ')}`).join('; ');
    case 'files':
      return answer.ids.length === 1 ? '1 file' : `${answer.ids.length} files`;
  }
}

function formatChoice(options: readonly QuestionItem[], answer: unknown): FormattedAnswer {
  if (typeof answer === 'string') return { kind: 'text', text: textOf(options, answer) };
  if (isObject(answer) && answer.option === OTHER && typeof answer.text === 'string')
    return { kind: 'text', text: otherText(answer.text) };
  return asText(answer);
}

function formatChoices(items: readonly QuestionItem[], answer: unknown): FormattedAnswer {
  const { options, other } = isObject(answer) ? answer : { options: answer, other: undefined };
  const chosen = options === undefined ? [] : options;
  if (!isTexts(chosen)) return asText(answer);
  const texts = chosen.map((id) => textOf(items, id));
  return { kind: 'list', items: typeof other === 'string' ? [...texts, otherText(other)] : texts };
}

function formatRows(rows: readonly QuestionItem[], columns: readonly QuestionItem[], answer: unknown): FormattedAnswer {
  if (!isObject(answer)) return asText(answer);
  const answered = Object.entries(answer).map(([row, cell]) => {
    const ids: readonly unknown[] = Array.isArray(cell) ? cell : [cell];
    return { row: textOf(rows, row), items: ids.map((id) => textOf(columns, String(id))) };
  });
  return { kind: 'rows', rows: answered };
}

function formatRating({ labels }: QuestionOf<'rating'>, answer: unknown, language: string): FormattedAnswer {
  if (typeof answer !== 'number') return asText(answer);
  const text = new Intl.NumberFormat(knownLanguage(language), { maximumFractionDigits: 20 }).format(answer);
  const label = labels.get(answer);
  return { kind: 'text', text: label === undefined ? text : `${text} (${label})` };
}

/** Days have no time zone, so they are formatted in UTC. */
function formatDate(answer: unknown, language: string): FormattedAnswer {
  const day = typeof answer === 'string' ? new Date(`${answer}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(day.getTime())) return asText(answer);
  const format = new Intl.DateTimeFormat(knownLanguage(language), { dateStyle: 'long', timeZone: 'UTC' });
  return { kind: 'text', text: format.format(day) };
}

function formatTime(answer: unknown, language: string): FormattedAnswer {
  const time = typeof answer === 'string' ? new Date(`1970-01-01T${answer}Z`) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) return asText(answer);
  const timeStyle = String(answer).length > 'HH:MM'.length ? 'medium' : 'short';
  const format = new Intl.DateTimeFormat(knownLanguage(language), { timeStyle, timeZone: 'UTC' });
  return { kind: 'text', text: format.format(time) };
}

function formatFiles(answer: unknown): FormattedAnswer {
  const ids = fileIdsOf(answer);
  return ids.length === 0 ? asText(answer) : { kind: 'files', ids };
}

function textOf(items: readonly QuestionItem[], id: string): string {
  return items.find((item) => item.id === id)?.text ?? id;
}

function otherText(text: string): string {
  return `Other: ${text}`;
}

function asText(answer: unknown): FormattedAnswer {
  return { kind: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The language if the browser knows it, else undefined. `Intl` throws for texts that are no language tags. */
function knownLanguage(language: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0];
  } catch {
    return undefined;
  }
}
