import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isChosenWord, toUnknown } from '../core/columns/choices.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { toSourceOptions } from '../core/source-questions.ts';
import { OTHER_TEXT } from '../core/texts.ts';
import { type Choices, idOf, toChoices, toIds } from './choices.ts';

interface Cells {
  /** Reads a cell and marks it as used. */
  take(name: string): JsonValue | undefined;
  readonly cells: ReadonlyMap<string, JsonValue>;
  /** The suffixes of columns below a question: `soup` of `dishes/soup`. */
  suffixesOf(name: string): readonly string[];
}

/** Reads the answer to a question or row by its possible names; undefined if there is none. */
export type ToAnswer = (names: readonly string[], cells: Cells) => JsonValue | undefined;

/** The words that tools of forms write. */
const BOOLEAN = /^(?:[01]|true|false)$/i;

export function createToAnswer(question: JsonObject): ToAnswer {
  const { kept_as: keptAs, part } = sourceDataOf(question);
  const options = choicesOf(question);
  // Without `allow_other`, "other" is the name or label of a choice.
  const isOther = (id: JsonValue) => id === 'other' && question['allow_other'] === true;
  const first = (names: readonly string[], { take, cells }: Cells): JsonValue | undefined => {
    const name = names.find((one) => cells.has(one));
    return name === undefined ? undefined : take(name);
  };
  const read =
    (convert: (value: string) => JsonValue): ToAnswer =>
    (names, cells) => {
      const value = first(names, cells);
      return value === undefined
        ? undefined
        : convert(typeof value === 'object' ? JSON.stringify(value) : String(value));
    };
  // Rows of repeats are kept in the metadata.
  if (keptAs === 'json') return () => undefined;
  if (keptAs === 'ranks') return read(createToRanks(question));
  switch (question['type']) {
    case 'single_choice':
    case 'likert':
      return (names, cells) => {
        const value = first(names, cells);
        if (value === undefined) return undefined;
        const id = idOf(String(value), options);
        return isOther(id) ? { option: 'other', text: otherOf(names, cells) } : id;
      };
    case 'multiple_choice':
    case 'matrix':
      return (names, cells) => {
        const flags = flagged(names, cells, options);
        const value = first(names, cells);
        const chosen = flags ?? (value === undefined ? undefined : toIds(String(value), options));
        if (chosen === undefined || !chosen.some(isOther)) return chosen;
        const others = chosen.filter((id) => !isOther(id));
        return { options: others, other: otherOf(names, cells) };
      };
    case 'date':
      return read((value) => value.replace(/[T ].*$/s, ''));
    case 'time':
      return read((value) => toTime(part === 'time' ? value.replace(/^[^T ]*[T ]/, '') : value));
    case 'file_upload':
      // File names are kept in the metadata.
      return () => undefined;
    default:
      return read((value) => value);
  }
}

/** The names and labels of choices in headers, such as `soup` of `dishes/soup`. */
export function namesOfChoices(question: JsonObject): ReadonlySet<string> {
  return new Set(choicesOf(question).byNameOrLabel.keys());
}

/** The ids of choices with a column of their own, by name and label. */
export function idsOfChoices(question: JsonObject): ReadonlyMap<string, string> {
  if (question['type'] !== 'multiple_choice' && question['type'] !== 'matrix') return new Map();
  return new Map(
    [...choicesOf(question).byNameOrLabel].flatMap(([text, [choice]]) => (choice ? [[text, choice.id]] : [])),
  );
}

function choicesOf(question: JsonObject): Choices {
  return toChoices(question, question['type'] === 'matrix' ? 'columns' : 'options');
}

/** Reads columns for each choice, by name or label; undefined if there are none. */
function flagged(
  names: readonly string[],
  { take, suffixesOf }: Cells,
  { byNameOrLabel, options }: Choices,
): JsonValue[] | undefined {
  const base = names.find((name) => suffixesOf(name).some((part) => byNameOrLabel.has(part)));
  if (base === undefined) return undefined;
  const parts = new Set(suffixesOf(base));
  const columns = new Set([...parts].flatMap((part) => byNameOrLabel.get(part) ?? []));
  return [...columns].flatMap(({ id, namesAndLabels }) => {
    const name = namesAndLabels.find((one) => parts.has(one));
    const flag = name === undefined ? undefined : take(`${base}/${name}`);
    if (flag === undefined) return [];
    const cell = String(flag);
    const isChosen = namesAndLabels.includes(cell) && !BOOLEAN.test(cell) ? true : isChosenWord(cell);
    return isChosen === undefined ? [toUnknown(cell, options)] : isChosen ? [id] : [];
  });
}

function otherOf(names: readonly string[], { take, cells }: Cells): JsonValue {
  const name = names.map((one) => `${one}_other`).find((one) => cells.has(one));
  return (name === undefined ? undefined : take(name)) ?? OTHER_TEXT;
}

/** Converts an order to ranks: `b a` → `{b: '1', a: '2'}`. */
function createToRanks(question: JsonObject): (value: string) => JsonValue {
  const [rows, ranks] = [toChoices(question, 'rows'), toSourceOptions(question, 'columns')];
  return (value) =>
    Object.fromEntries(
      toIds(value, rows).map((id, index) => [
        typeof id === 'string' ? id : JSON.stringify(id),
        ranks[index]?.id ?? String(index + 1),
      ]),
    );
}

/** Removes fractions of seconds and the zone. */
function toTime(value: string): string {
  return value.trim().replace(/^(\d{2}:\d{2}(?::\d{2})?).*$/s, '$1');
}
