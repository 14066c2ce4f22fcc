import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { dateOfTime } from '../core/responses/times.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  createSourceItems,
  listItemsOf,
  onlyOf,
  type SourceItems,
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
    if (question.type === 'matrix' && type !== 'ranking') addRows(question, targets);
    targets.set(String(id), { question, row: undefined, toValue: converterOf(question, String(type)) });
  }
  return targets;
}

function addRows(question: AnsweredQuestion, targets: Map<string, AnswerTarget>): void {
  const columns = createSourceItems(listItemsOf(question.question, 'columns'), ({ choice_ids: ids }) =>
    isArray(ids) ? ids : [],
  );
  const isMultiple = question.question['multiple'] === true;
  for (const { id, source_data: sourceData } of listItemsOf(question.question, 'rows')) {
    if (!isObject(sourceData)) continue;
    const toValue = (answer: JsonObject) => {
      const chosen = choicesOf(answer, columns).chosen;
      return isMultiple ? chosen : onlyOf(chosen);
    };
    targets.set(String(sourceData['source_id']), { question, row: String(id), toValue });
  }
}

function converterOf({ question, type }: AnsweredQuestion, sourceType: string): AnswerTarget['toValue'] {
  const options = createSourceItems(listItemsOf(question, 'options'), ({ source_id: id, ref }) => [id, ref]);
  const hasOther = question['allow_other'] === true;
  if (sourceType === 'ranking' && type === 'matrix') return createRankingConverter(question);
  switch (type) {
    case 'single_choice':
      return (answer) => {
        if (answer['type'] === 'boolean') return options.idOf(answer['boolean']);
        const { chosen, other } = choicesOf(answer, options, hasOther);
        return other === undefined ? onlyOf(chosen) : { option: 'other', text: other };
      };
    case 'multiple_choice':
      return (answer) => {
        const { chosen, other } = choicesOf(answer, options, hasOther);
        return other === undefined ? chosen : { options: chosen, other };
      };
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

/** Converts a ranking to a matrix answer. The position of a choice is its rank. */
function createRankingConverter(question: JsonObject): AnswerTarget['toValue'] {
  const rows = createSourceItems(listItemsOf(question, 'rows'), ({ source_id: id, ref }) => [id, ref]);
  const ranks = listItemsOf(question, 'columns').map(({ id }) => String(id));
  return (answer) => {
    const { chosen } = choicesOf(answer, rows);
    return Object.fromEntries(chosen.map((row, index) => [row, ranks[index] ?? String(index + 1)]));
  };
}

interface Chosen {
  readonly chosen: JsonValue[];
  readonly other: string | undefined;
}

/** The ids of the chosen items. Validation rejects the labels of unknown items (`SourceItems`). */
function choicesOf(answer: JsonObject, items: SourceItems, hasOther = false): Chosen {
  const { choice, choices } = answer;
  if (!isObject(choice) && !isObject(choices)) return chosenByText(answer, items, hasOther);
  const one = isObject(choice) ? choice : {};
  const many = isObject(choices) ? choices : {};
  const other = one['other'] ?? many['other'];
  const lists = listsOf(answer);
  const count = Math.max(lists.ids.length, lists.refs.length, lists.labels.length);
  const chosen = Array.from({ length: count }, (_, index) => {
    const [id, ref, label] = [lists.ids[index], lists.refs[index], lists.labels[index]];
    const found = items.idOf(id) ?? items.idOf(ref) ?? (typeof label === 'string' ? items.idOfText(label) : undefined);
    const given = label ?? id;
    return found ?? (typeof given === 'string' ? items.unknown(given) : undefined);
  }).filter((item) => item !== undefined);
  if (other === '' && hasOther && chosen.length === 0) return { chosen, other: OTHER_TEXT };
  return { chosen, other: typeof other === 'string' && other !== '' ? other : undefined };
}

/**
 * The chosen items that have a label. The text of a dropdown counts as a label, unless the question has `other`: the
 * text could be the respondent's own.
 */
export function labelledChoices(
  answer: JsonObject,
  allowsOther: boolean,
): readonly { readonly id: string | undefined; readonly ref: string | undefined; readonly label: string }[] {
  const { ids, refs, labels } = listsOf(answer);
  const text = answerValueOf(answer);
  const labelsOrText = labels.length === 0 && !allowsOther && typeof text === 'string' ? [text] : labels;
  return labelsOrText.flatMap((label, index) => {
    if (typeof label !== 'string' || label.trim() === '') return [];
    const [id, ref] = [ids[index], refs[index]];
    return [{ id: typeof id === 'string' ? id : undefined, ref: typeof ref === 'string' ? ref : undefined, label }];
  });
}

/** Ids, refs and labels of the chosen items, by position. */
function listsOf({ choice, choices }: JsonObject) {
  if (isObject(choice)) {
    const listed = (name: string) => (choice[name] === undefined ? [] : [choice[name]]);
    return { ids: listed('id'), refs: listed('ref'), labels: listed('label') };
  }
  const many = isObject(choices) ? choices : {};
  return { ids: listOf(many['ids']), refs: listOf(many['refs']), labels: listOf(many['labels']) };
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

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
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
