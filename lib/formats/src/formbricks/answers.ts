import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { dateOfTime } from '../core/responses/times.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  createSourceItems,
  numberOf,
  type SourceItems,
  toChoiceAnswer,
  toRankAnswer,
} from '../core/source-questions.ts';
import { OTHER_TEXT } from '../core/texts.ts';

/** The question that a value belongs to. A Formbricks question of type `address` becomes several questions. */
interface AnswerTarget {
  readonly question: AnsweredQuestion;
  toValue(value: JsonValue): JsonValue | undefined;
}

/** Answer targets by the id of the question at Formbricks. */
export function createAnswerTargets(payload: JsonObject): ReadonlyMap<string, readonly AnswerTarget[]> {
  return Map.groupBy(
    answeredQuestions(payload).map((question): AnswerTarget => ({ question, toValue: converterOf(question) })),
    ({ question }) => String(question.sourceData['source_id']),
  );
}

/**
 * Returns the conversion of the values of a question. Choices come as texts of options, in the language of the
 * respondent. Unknown texts stay, so that validation rejects them.
 */
function converterOf({ question, type, sourceData }: AnsweredQuestion): AnswerTarget['toValue'] {
  const { part, type: sourceType } = sourceData;
  if (typeof part === 'string') return (value) => undefinedIfEmpty(isArray(value) ? value[Number(part)] : undefined);
  switch (type) {
    case 'single_choice':
    case 'multiple_choice': {
      const options = createSourceItems(question['options']);
      const hasOther = question['allow_other'] === true;
      return (value) => {
        const { chosen, other } = splitChosen(toTexts(value), options, hasOther);
        // Options that come with a free text stay in the answer, so that validation rejects the list.
        if (type === 'single_choice' && other !== undefined && chosen.length > 0) return [...chosen, other];
        return chosen.length === 0 && other === undefined ? undefined : toChoiceAnswer(type, chosen, other);
      };
    }
    case 'rating':
      return (value) => undefinedIfEmpty(numberOf(value) ?? value);
    case 'date':
      return (value) => undefinedIfEmpty(typeof value === 'string' ? dateOfTime(value) : value);
    case 'file_upload':
      return () => undefined;
    case 'matrix':
      return sourceType === 'ranking' ? ranksConverter(question) : rowsConverter(question);
    default:
      return (value) => {
        const text = undefinedIfEmpty(value);
        return text === undefined || typeof text === 'string' ? text : JSON.stringify(text);
      };
  }
}

/** Converts an object of row texts and their column texts to ids. */
function rowsConverter(question: JsonObject): AnswerTarget['toValue'] {
  const rows = createSourceItems(question['rows']);
  const columns = createSourceItems(question['columns']);
  const toRow = (row: string) => findId(rows, row) ?? rows.unknownName(row);
  const toColumn = (column: JsonValue) =>
    (typeof column === 'string' ? findId(columns, column) : undefined) ?? columns.unknown(column);
  return (value) => {
    if (!isObject(value)) return undefinedIfEmpty(value);
    const answered = Object.entries(value).filter(([, column]) => undefinedIfEmpty(column) !== undefined);
    if (answered.length === 0) return undefined;
    return Object.fromEntries(answered.map(([row, column]) => [toRow(row), toColumn(column)]));
  };
}

/** Converts a ranking: the texts of the choices, in the order of their ranks. */
function ranksConverter(question: JsonObject): AnswerTarget['toValue'] {
  const rows = createSourceItems(question['rows']);
  return (value) => {
    const ranked = toTexts(value).map((text) => findId(rows, text) ?? rows.unknownName(text));
    return ranked.length === 0 ? undefined : toRankAnswer(question, ranked);
  };
}

/** Values of pictures are ids, all others are texts. */
function findId(items: SourceItems, text: string): string | undefined {
  return items.idOfText(text) ?? items.idOf(text);
}

function splitChosen(texts: readonly string[], options: SourceItems, hasOther: boolean) {
  const unknown = texts.filter((text) => findId(options, text) === undefined);
  const chosen = texts.flatMap((text) => findId(options, text) ?? (hasOther ? [] : [options.unknown(text)]));
  // Formbricks writes `other` if the respondent gave no text.
  const other = unknown.map((text) => (text === 'other' ? OTHER_TEXT : text)).join('\n');
  return { chosen, other: hasOther && unknown.length > 0 ? other : undefined };
}

function toTexts(value: JsonValue): readonly string[] {
  return (isArray(value) ? value : [value]).map(String).filter((text) => text.trim() !== '');
}

function undefinedIfEmpty(value: JsonValue | undefined): JsonValue | undefined {
  return value === '' || value === null || (isArray(value) && value.length === 0) ? undefined : value;
}

/** The fields of an address or contact that no question takes, by position; undefined if there are none. */
export function unsupportedFieldsOf(value: JsonValue, targets: readonly AnswerTarget[]): JsonValue | undefined {
  const parts = new Set(targets.flatMap(({ question: { sourceData } }) => sourceData['part'] ?? []));
  if (parts.size === 0) return undefined;
  if (!isArray(value)) return undefinedIfEmpty(value);
  const lost = Object.entries(value).filter(([at, field]) => !parts.has(at) && undefinedIfEmpty(field) !== undefined);
  return lost.length === 0 ? undefined : Object.fromEntries(lost);
}
