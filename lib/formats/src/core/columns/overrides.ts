import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, setMember } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { type ParsedResponse, replacedValue, type UnassignedValue } from '../responses/response.ts';
import { OTHER_TEXT } from '../texts.ts';
import { cutHeading } from './headings.ts';
import type { MatchedColumn } from './match-headers.ts';
import type { PlannedColumn } from './plan.ts';

/** Warnings about recognised columns that have the same target as a column named in the option `columns`. */
export function rivalWarnings(
  given: readonly MatchedColumn[],
  columns: readonly PlannedColumn[],
): readonly FieldProblem[] {
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

/** Reports the value of a column with codes if the given one differs. Returns the given one. */
type Replace = (column: string, coded: JsonValue | undefined, given: JsonValue) => JsonValue;

/**
 * Merges likerts and matrices by row, choices by option. If both have a value for the same question or part, the given
 * one wins, and `replaced` has the other one.
 *
 * @param coded answers of columns with codes
 * @param given answers of columns that the option `columns` names
 * @param typeOf types of questions by id
 */
export function mergeAnswers(
  coded: JsonObject,
  given: JsonObject,
  typeOf: ReadonlyMap<string, string>,
): { readonly value: JsonObject; readonly replaced: readonly UnassignedValue[] } {
  if (Object.keys(coded).length === 0) return { value: given, replaced: [] };
  const value: JsonObject = { ...coded };
  const replaced: UnassignedValue[] = [];
  const replace: Replace = (column, codedValue, givenValue) => {
    if (codedValue !== undefined && !isSame(codedValue, givenValue)) replaced.push(replacedValue(column, codedValue));
    return givenValue;
  };
  for (const [id, answer] of Object.entries(given)) {
    const replaceable = Object.hasOwn(coded, id) ? coded[id] : undefined;
    const merged = replaceable === undefined ? answer : mergeAnswer(id, replaceable, answer, typeOf.get(id), replace);
    setMember(value, id, merged);
  }
  return { value, replaced };
}

function mergeAnswer(
  id: string,
  coded: JsonValue,
  given: JsonValue,
  type: string | undefined,
  replace: Replace,
): JsonValue {
  if (type === 'multiple_choice') {
    const [codedChoices, givenChoices] = [toChoices(coded), toChoices(given)];
    if (codedChoices === undefined || givenChoices === undefined) return replace(id, coded, given);
    const options = union(codedChoices.options, givenChoices.options);
    const [codedText, givenText] = [codedChoices.other, givenChoices.other];
    const other = givenText ?? codedText;
    if (givenText !== undefined && codedText !== OTHER_TEXT) replace(`${id}.other`, codedText, givenText);
    return other === undefined ? options : { options, other };
  }
  if ((type === 'likert' || type === 'matrix') && isObject(coded) && isObject(given)) {
    const rows: JsonObject = { ...coded };
    for (const [row, givenCell] of Object.entries(given)) {
      const codedCell = Object.hasOwn(rows, row) ? rows[row] : undefined;
      const isUnion = Array.isArray(codedCell) && Array.isArray(givenCell);
      const cell = isUnion ? union(codedCell, givenCell) : replace(`${id}[${row}]`, codedCell, givenCell);
      setMember(rows, row, cell);
    }
    return rows;
  }
  // The text of `other` can be in a column of its own.
  const [codedText, givenText] = type === 'single_choice' ? [toOther(coded), toOther(given)] : [];
  if (codedText === undefined || givenText === undefined) return replace(id, coded, given);
  if (givenText === '') return coded;
  if (codedText !== '' && codedText !== OTHER_TEXT) replace(`${id}.other`, codedText, givenText);
  return given;
}

/** Adds given members to the metadata. Dropped values that were kept in a replaced member lose their `keptAs`. */
export function mergeMetadata({ metadata = {}, unassigned = [] }: ParsedResponse, given: JsonObject) {
  const isReplaced = (name: string) => Object.hasOwn(given, name) && metadata[name] !== given[name];
  const reported = new Set(unassigned.map(({ keptAs: [name] = [] }) => name));
  const replaced = Object.keys(metadata).filter((name) => isReplaced(name) && !reported.has(name));
  return {
    value: { ...metadata, ...given },
    unassigned: [
      ...unassigned.map(({ keptAs, ...rest }) =>
        keptAs === undefined || isReplaced(keptAs[0] ?? '') ? rest : { ...rest, keptAs },
      ),
      ...replaced.map((name) => replacedValue(`metadata.${name}`)),
    ],
  };
}

/**
 * Removes an option from the answer to a multiple choice, or a column from a row of a matrix.
 *
 * @param path the id of the option, or the ids of row and column
 */
export function withoutItem(answer: JsonValue, [item, ...inner]: readonly string[]): JsonValue {
  if (item === undefined) return answer;
  if (Array.isArray(answer)) return answer.filter((one) => one !== item);
  if (!isObject(answer)) return answer;
  const name = inner.length > 0 ? item : 'options';
  const part = Object.hasOwn(answer, name) ? answer[name] : undefined;
  if (!Array.isArray(part)) return answer;
  const copy: JsonObject = { ...answer };
  setMember(copy, name, withoutItem(part, inner.length > 0 ? inner : [item]));
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
