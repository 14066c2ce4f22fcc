import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, setMember } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { type DroppedValue, type ParsedResponse, replacedValue } from '../responses/response.ts';
import { OTHER_TEXT } from '../texts.ts';
import { cutHeading } from './headings.ts';
import type { MatchedColumn } from './match-headers.ts';
import type { PlannedColumn } from './plan.ts';

/** Warnings about columns with codes whose answer or metadata also comes from a column of the option `columns`. */
export function rivalsOf(given: readonly MatchedColumn[], columns: readonly PlannedColumn[]): readonly FieldProblem[] {
  const winners = new Map(
    given.flatMap(({ target, heading }) =>
      target?.kind === 'answer' || target?.kind === 'metadata' ? [[target.name, heading]] : [],
    ),
  );
  return columns.flatMap((column) => {
    const winner = column.foundBy === 'option' ? undefined : winners.get(column.target);
    if (winner === undefined) return [];
    const [heading, other] = [column.heading, winner].map(cutHeading);
    const detail = `The column ${heading} is for ${column.target} too: its values are not imported in rows where the column ${other} has one`;
    return [{ path: '', code: 'NOT_IMPORTED', detail }];
  });
}

/** Chosen options and the text of `other`. */
interface Choices {
  readonly options: readonly JsonValue[];
  readonly other: JsonValue | undefined;
}

/** Reports the value before if it is another one. Returns the value after. */
type Replace = (column: string, before: JsonValue | undefined, after: JsonValue) => JsonValue;

/**
 * Merges answers of columns that the option `columns` names into answers of other columns: likerts and matrices by row,
 * choices by option. If both have a value for the same question or part, the named column wins, and the other value is
 * in `replaced`.
 *
 * @param typeOf types of questions by id
 */
export function mergeAnswers(
  others: JsonObject,
  given: JsonObject,
  typeOf: ReadonlyMap<string, string>,
): { readonly value: JsonObject; readonly replaced: readonly DroppedValue[] } {
  if (Object.keys(others).length === 0) return { value: given, replaced: [] };
  const value: JsonObject = { ...others };
  const replaced: DroppedValue[] = [];
  const replace: Replace = (column, before, after) => {
    if (before !== undefined && !isSame(before, after)) replaced.push(replacedValue(column, before));
    return after;
  };
  for (const [id, answer] of Object.entries(given)) {
    const before = Object.hasOwn(others, id) ? others[id] : undefined;
    setMember(value, id, before === undefined ? answer : mergeAnswer(id, before, answer, typeOf.get(id), replace));
  }
  return { value, replaced };
}

function mergeAnswer(
  id: string,
  before: JsonValue,
  after: JsonValue,
  type: string | undefined,
  replace: Replace,
): JsonValue {
  if (type === 'multiple_choice') {
    const [earlier, later] = [toChoices(before), toChoices(after)];
    if (earlier === undefined || later === undefined) return replace(id, before, after);
    const options = union(earlier.options, later.options);
    const other = later.other ?? earlier.other;
    if (later.other !== undefined && earlier.other !== OTHER_TEXT) replace(`${id}.other`, earlier.other, later.other);
    return other === undefined ? options : { options, other };
  }
  if ((type === 'likert' || type === 'matrix') && isObject(before) && isObject(after)) {
    const rows: JsonObject = { ...before };
    for (const [row, cell] of Object.entries(after)) {
      const own = Object.hasOwn(rows, row) ? rows[row] : undefined;
      const isUnion = Array.isArray(own) && Array.isArray(cell);
      setMember(rows, row, isUnion ? union(own, cell) : replace(`${id}[${row}]`, own, cell));
    }
    return rows;
  }
  // The text of `other` can be in a column of its own.
  const [earlier, later] = type === 'single_choice' ? [toOther(before), toOther(after)] : [];
  if (earlier === undefined || later === undefined) return replace(id, before, after);
  if (later === '') return before;
  if (earlier !== '' && earlier !== OTHER_TEXT) replace(`${id}.other`, earlier, later);
  return after;
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

/** Numbers can be texts, because answers are not normalised yet. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  const [first, second] = [one, other].map((value) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`));
  return first === second;
}

function union(one: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  return [...new Set([...one, ...other])];
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
