import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER_TEXT } from '../other-text.ts';
import { sourceDataOf } from '../source-data.ts';
import { toSourceOptions } from '../source-operand.ts';
import { type Choices, idOf, toChoices, toIds } from './choices.ts';

interface Cells {
  /** The value of a cell, which is used then. */
  take(name: string): JsonValue | undefined;
  readonly cells: ReadonlyMap<string, JsonValue>;
  /** What follows the slash in the names of columns that begin with a question's: `dishes/soup`. */
  below(name: string): readonly string[];
}

/** The answer to a question, or a row of one, that may go by several names; undefined when there is none. */
export type ToAnswer = (names: readonly string[], cells: Cells) => JsonValue | undefined;

const CHOSEN = /^(1|true|yes)$/i;
const NOT_CHOSEN = /^(0|false|no)$/i;

export function createToAnswer(question: JsonObject): ToAnswer {
  const { kept_as: keptAs, part } = sourceDataOf(question);
  const options = toChoices(question, question['type'] === 'matrix' ? 'columns' : 'options');
  // Else it is the label of a choice.
  const isOther = (id: string) => id === 'other' && question['allow_other'] === true;
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
  if (keptAs === 'json') return read((value) => value);
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
      // Their names stay among what is no answer.
      return () => undefined;
    default:
      return read((value) => value);
  }
}

/** Of a column for each choice, by its name or its label, those that are chosen; undefined when there is none. */
function flagged(names: readonly string[], { take, below }: Cells, { byCall }: Choices): string[] | undefined {
  const base = names.find((name) => below(name).some((part) => byCall.has(part)));
  if (base === undefined) return undefined;
  const parts = new Set(below(base));
  const columns = new Set([...parts].flatMap((part) => byCall.get(part) ?? []));
  return [...columns].flatMap(({ id, called }) => {
    const name = called.find((one) => parts.has(one));
    const flag = name === undefined ? undefined : take(`${base}/${name}`);
    if (flag === undefined || NOT_CHOSEN.test(String(flag))) return [];
    return CHOSEN.test(String(flag)) || called.includes(String(flag)) ? [id] : [];
  });
}

function otherOf(names: readonly string[], { take, cells }: Cells): JsonValue {
  const name = names.map((one) => `${one}_other`).find((one) => cells.has(one));
  return (name === undefined ? undefined : take(name)) ?? OTHER_TEXT;
}

/** `[b a]` → `{b: '1', a: '2'}` */
function createToRanks(question: JsonObject): (value: string) => JsonValue {
  const [rows, places] = [toChoices(question, 'rows'), toSourceOptions(question, 'columns')];
  return (value) =>
    Object.fromEntries(toIds(value, rows).map((id, index) => [id, places[index]?.id ?? String(index + 1)]));
}

/** Without parts of seconds and zone. */
function toTime(value: string): string {
  return value.trim().replace(/^(\d{2}:\d{2}(?::\d{2})?).*$/s, '$1');
}
