import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import { dateOfTime } from '../core/responses/times.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  createSourceItems,
  objectsOf,
  onlyOf,
  type SourceItems,
  toChoiceAnswer,
  toRankAnswer,
} from '../core/source-questions.ts';
import { OTHER_TEXT } from '../core/texts.ts';

/** The question, or matrix row, that an answer belongs to. */
export interface AnswerTarget {
  readonly question: AnsweredQuestion;
  /** Row id, for a field in a matrix. */
  readonly row: string | undefined;
  toValue(answer: JsonObject): JsonValue | undefined;
}

/** Answer targets by field id. */
export function createAnswerTargets(payload: JsonObject): ReadonlyMap<string, AnswerTarget> {
  const targets = new Map<string, AnswerTarget>();
  for (const question of answeredQuestions(payload)) {
    const { source_id: id, type } = question.sourceData;
    const isRanking = type === 'ranking';
    if (question.type === 'matrix' && !isRanking) addRows(question, targets);
    targets.set(String(id), { question, row: undefined, toValue: converterOf(question, isRanking) });
  }
  return targets;
}

function addRows(question: AnsweredQuestion, targets: Map<string, AnswerTarget>): void {
  const columns = createSourceItems(question.question['columns'], ({ choice_ids: ids }) => (isArray(ids) ? ids : []));
  const isMultiple = question.question['multiple'] === true;
  for (const { id, source_data: sourceData } of objectsOf(question.question['rows'])) {
    if (!isObject(sourceData)) continue;
    const toValue = (answer: JsonObject) => {
      const { chosen } = chosenOf(answer, columns, false);
      return isMultiple ? chosen : onlyOf(chosen);
    };
    targets.set(String(sourceData['source_id']), { question, row: String(id), toValue });
  }
}

function converterOf({ question, type }: AnsweredQuestion, isRanking: boolean): AnswerTarget['toValue'] {
  switch (type) {
    case 'single_choice':
    case 'multiple_choice': {
      const options = createSourceItems(question['options'], idAndRef);
      const hasOther = question['allow_other'] === true;
      return (answer) => {
        if (answer['type'] === 'boolean') return options.idOf(answer['boolean']);
        const { chosen, other } = chosenOf(answer, options, hasOther);
        return toChoiceAnswer(type, chosen, other);
      };
    }
    case 'matrix': {
      if (!isRanking) return textOf;
      const rows = createSourceItems(question['rows'], idAndRef);
      return (answer) => toRankAnswer(question, chosenOf(answer, rows, false).chosen);
    }
    case 'date':
      // Dates can have a time, which is midnight.
      return (answer) => dateOfTime(String(answerValueOf(answer) ?? ''));
    case 'file_upload':
      return () => undefined;
    case 'rating':
      return answerValueOf;
    default:
      return textOf;
  }
}

function idAndRef({ source_id: id, ref }: JsonObject): readonly (JsonValue | undefined)[] {
  return [id, ref];
}

interface Chosen {
  /** Ids of items. Validation rejects the labels of unknown items (`SourceItems`). */
  readonly chosen: JsonValue[];
  readonly other: string | undefined;
}

function chosenOf(answer: JsonObject, items: SourceItems, hasOther: boolean): Chosen {
  const { choice, choices } = answer;
  if (!isObject(choice) && !isObject(choices)) return chosenByText(answer, items, hasOther);
  const chosen = chosenItemsOf(answer).flatMap(({ id, ref, label }) => {
    const found = items.idOf(id) ?? items.idOf(ref) ?? (typeof label === 'string' ? items.idOfText(label) : undefined);
    const given = label ?? id;
    return found ?? (typeof given === 'string' ? items.unknown(given) : []);
  });
  const other = [choice, choices]
    .map((one) => (isObject(one) ? one['other'] : undefined))
    .find((one) => !isAbsent(one));
  if (other === '' && hasOther && chosen.length === 0) return { chosen, other: OTHER_TEXT };
  return { chosen, other: typeof other === 'string' && other !== '' ? other : undefined };
}

/** Finds the choice of a dropdown by its text. An unknown text is the text of `other`, if the question has `other`. */
function chosenByText(answer: JsonObject, items: SourceItems, hasOther: boolean): Chosen {
  const text = answerValueOf(answer);
  if (typeof text !== 'string' || text === '') return { chosen: [], other: undefined };
  const found = items.idOfText(text);
  return found === undefined && hasOther
    ? { chosen: [], other: text }
    : { chosen: [found ?? items.unknown(text)], other: undefined };
}

/** Id, ref and label of each chosen item, as far as the file has them. */
function chosenItemsOf({ choice, choices }: JsonObject) {
  if (isObject(choice)) return [{ id: choice['id'], ref: choice['ref'], label: choice['label'] }];
  const lists = isObject(choices) ? choices : {};
  const listOf = (name: string): readonly JsonValue[] => (isArray(lists[name]) ? lists[name] : []);
  const [ids, refs, labels] = [listOf('ids'), listOf('refs'), listOf('labels')];
  const count = Math.max(ids.length, refs.length, labels.length);
  return Array.from({ length: count }, (_, index) => ({ id: ids[index], ref: refs[index], label: labels[index] }));
}

/**
 * The chosen items that have a label. The text of a dropdown counts as a label, unless the question has `other`: the
 * text could be the respondent's own.
 */
export function labelledChoices(
  answer: JsonObject,
  hasOther: boolean,
): readonly (JsonObject & { readonly label: string })[] {
  const text = answerValueOf(answer);
  const items =
    typeof text === 'string' && !hasOther ? [{ id: undefined, ref: undefined, label: text }] : chosenItemsOf(answer);
  return items.flatMap(({ id, ref, label }) => {
    if (typeof label !== 'string' || label.trim() === '') return [];
    return [{ label, ...(typeof id === 'string' && { id }), ...(typeof ref === 'string' && { ref }) }];
  });
}

/** The id of the field that an answer is to; empty if the answer names none. */
export function fieldIdOf({ field }: JsonObject): string {
  return isObject(field) ? String(field['id']) : '';
}

/** The value of an answer: the member with the name of its type. */
export function answerValueOf(answer: JsonObject): JsonValue | undefined {
  const type = answer['type'];
  return typeof type === 'string' && Object.hasOwn(answer, type) ? answer[type] : undefined;
}

function textOf(answer: JsonObject): JsonValue | undefined {
  const value = answerValueOf(answer);
  if (isObject(value)) return String(value['label'] ?? value['other'] ?? JSON.stringify(value));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
