import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, setMember } from '@survey/questionnaire/json';
import { type DroppedValue, type ParsedResponse, replacedValue } from '../responses/response.ts';
import { OTHER_TEXT } from '../texts.ts';

interface Merged<Value> {
  readonly value: Value;
  /** Values of the tool's reader that mapped values replace. */
  readonly replaced: readonly DroppedValue[];
}

/** Chosen options and the text of `other`. */
interface Choices {
  readonly options: readonly JsonValue[];
  readonly other: JsonValue | undefined;
}

/**
 * Merges answers of mapped columns into answers of a tool's reader: likerts and matrices by row, choices by option. If
 * both have a value for the same question or part, the mapped value wins, and the other value is reported.
 *
 * @param typeOf types of questions by id
 */
export function mergeAnswers(
  fromTool: JsonObject,
  mapped: JsonObject,
  typeOf: ReadonlyMap<string, string>,
): Merged<JsonObject> {
  if (Object.keys(fromTool).length === 0) return alone(mapped);
  const value: JsonObject = { ...fromTool };
  const replaced: DroppedValue[] = [];
  for (const [id, answer] of Object.entries(mapped)) {
    const before = Object.hasOwn(fromTool, id) ? fromTool[id] : undefined;
    const merged = before === undefined ? alone(answer) : mergeAnswer(id, before, answer, typeOf.get(id));
    setMember(value, id, merged.value);
    replaced.push(...merged.replaced);
  }
  return { value, replaced };
}

/** Adds members to the metadata of a response. A dropped value loses `keptAs` if that member is replaced. */
export function mergeMetadata({ metadata = {}, dropped = [] }: ParsedResponse, mapped: JsonObject) {
  const isReplaced = (name: string) => Object.hasOwn(mapped, name) && metadata[name] !== mapped[name];
  const known = new Set(dropped.map(({ keptAs: [name] = [] }) => name));
  const replaced = Object.keys(metadata).filter((name) => isReplaced(name) && !known.has(name));
  return {
    value: { ...metadata, ...mapped },
    dropped: [
      ...dropped.map(({ keptAs, ...others }) =>
        keptAs === undefined || isReplaced(keptAs[0] ?? '') ? others : { ...others, keptAs },
      ),
      ...replaced.map((name) => replacedValue(`metadata.${name}`)),
    ],
  };
}

/** Removes options from the answer to a multiple choice, or columns from a row of a matrix. */
export function withoutItems(answer: JsonValue, [item, ...inner]: readonly string[]): JsonValue {
  if (item === undefined) return answer;
  if (Array.isArray(answer)) return answer.filter((one) => one !== item);
  if (!isObject(answer)) return answer;
  const name = inner.length > 0 ? item : 'options';
  const part = Object.hasOwn(answer, name) ? answer[name] : undefined;
  if (!Array.isArray(part)) return answer;
  const copy: JsonObject = { ...answer };
  setMember(copy, name, withoutItems(part, inner.length > 0 ? inner : [item]));
  return copy;
}

function mergeAnswer(id: string, fromTool: JsonValue, mapped: JsonValue, type: string | undefined): Merged<JsonValue> {
  if (type === 'multiple_choice') {
    const [before, after] = [toChoices(fromTool), toChoices(mapped)];
    if (before !== undefined && after !== undefined) return mergeChoices(id, before, after);
  }
  if ((type === 'likert' || type === 'matrix') && isRows(fromTool) && isRows(mapped)) {
    return mergeRows(id, fromTool, mapped);
  }
  return type === 'single_choice' ? mergeChoice(id, fromTool, mapped) : replace(id, fromTool, mapped);
}

function mergeChoices(id: string, fromTool: Choices, mapped: Choices): Merged<JsonValue> {
  const options = union(fromTool.options, mapped.options);
  const other = mapped.other ?? fromTool.other;
  const isReplaced = fromTool.other !== undefined && mapped.other !== undefined && fromTool.other !== OTHER_TEXT;
  return {
    value: other === undefined ? options : { options, other },
    replaced: isReplaced ? replace(`${id}.other`, fromTool.other, mapped.other).replaced : [],
  };
}

function mergeRows(id: string, fromTool: JsonObject, mapped: JsonObject): Merged<JsonValue> {
  const value: JsonObject = { ...fromTool };
  const replaced: DroppedValue[] = [];
  for (const [row, cell] of Object.entries(mapped)) {
    const before = Object.hasOwn(fromTool, row) ? fromTool[row] : undefined;
    if (Array.isArray(before) && Array.isArray(cell)) setMember(value, row, union(before, cell));
    else {
      setMember(value, row, cell);
      if (before !== undefined) replaced.push(...replace(`${id}[${row}]`, before, cell).replaced);
    }
  }
  return { value, replaced };
}

/** Merges two answers to a single choice. The text of `other` can be in a column of its own. */
function mergeChoice(id: string, fromTool: JsonValue, mapped: JsonValue): Merged<JsonValue> {
  const [before, after] = [toOther(fromTool), toOther(mapped)];
  if (before === undefined || after === undefined) return replace(id, fromTool, mapped);
  const hasBoth = before !== '' && before !== OTHER_TEXT && after !== '';
  return {
    value: after === '' ? fromTool : mapped,
    replaced: hasBoth ? replace(`${id}.other`, before, after).replaced : [],
  };
}

function replace<Value extends JsonValue>(column: string, fromTool: JsonValue, mapped: Value): Merged<Value> {
  return { value: mapped, replaced: isSame(fromTool, mapped) ? [] : [replacedValue(column, fromTool)] };
}

function alone<Value extends JsonValue>(value: Value): Merged<Value> {
  return { value, replaced: [] };
}

/** Numbers can be texts, because answers are not normalised yet. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  const [first, second] = [one, other].map((value) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`));
  return first === second;
}

function union(fromTool: readonly JsonValue[], mapped: readonly JsonValue[]): JsonValue[] {
  return [...new Set([...fromTool, ...mapped])];
}

function isRows(answer: JsonValue): answer is JsonObject {
  return isObject(answer);
}

function toChoices(answer: JsonValue): Choices | undefined {
  if (Array.isArray(answer)) return { options: answer, other: undefined };
  if (!isObject(answer)) return undefined;
  const { options = [], other } = answer as JsonObject;
  return Array.isArray(options) ? { options, other } : undefined;
}

/** The text of `other`, empty if it is chosen without a text; undefined for an option. */
function toOther(answer: JsonValue): string | undefined {
  if (answer === OTHER) return '';
  if (!isObject(answer)) return undefined;
  const { option, text } = answer as JsonObject;
  if (option !== OTHER) return undefined;
  return typeof text === 'string' ? text : '';
}
