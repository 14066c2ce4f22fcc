import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';

/** A row of a repeat. */
interface RepeatRow {
  readonly fields: [name: string, value: JsonValue][];
  readonly repeats: RepeatRows;
}

/** Rows of repeats by name and number. */
type RepeatRows = Map<string, Map<number, RepeatRow>>;

/** A name in the header of a table: `kid[1]/toy[2]/name`. */
const STEP = /([^[\]]+)\[(\d{1,9})\]\//y;
/** Maximum levels of repeats inside each other. */
export const MAX_REPEAT_DEPTH = 16;
/** Maximum rows of a repeat. More rows exceed the limit of metadata in any case. */
export const MAX_REPEAT_ROWS = 10_000;
/** The reason why rows above these limits are not imported. */
export const TOO_MANY_ROWS = `a repeat can have ${MAX_REPEAT_ROWS} rows, and be inside ${MAX_REPEAT_DEPTH - 1} others`;

/** Whether a name is that of a column of a repeat, such as `kid[1]/name`. */
export function isRepeatColumn(name: string): boolean {
  return stepsOf(name) !== undefined;
}

/** Splits the cells of a row. Cells of repeats become lists of rows by repeat; the others are the rest. */
export function takeRepeats(
  cells: ReadonlyMap<string, JsonValue>,
  toRepeatName: (name: string) => string,
): { readonly repeats: JsonObject; readonly rest: ReadonlyMap<string, JsonValue> } {
  const root: RepeatRows = new Map();
  const rest = new Map<string, JsonValue>();
  for (const [name, value] of cells) {
    const found = stepsOf(name);
    if (found === undefined) {
      rest.set(name, value);
      continue;
    }
    let row: RepeatRow | undefined;
    for (const [repeat, number] of found.steps) {
      const repeats: RepeatRows = row?.repeats ?? root;
      const key = row === undefined ? toRepeatName(repeat) : repeat;
      const rows: Map<number, RepeatRow> = repeats.get(key) ?? new Map();
      repeats.set(key, rows);
      row = rows.get(number) ?? { fields: [], repeats: new Map() };
      rows.set(number, row);
    }
    const [last = ''] = found.steps.at(-1) ?? [];
    row?.fields.push([withoutPrefix(found.field, last), value]);
  }
  return { repeats: toLists(root), rest };
}

/** Removes the name of a repeat, as Kobo writes it, from the names of members in its rows. Other values stay. */
export function toRows(value: JsonValue, repeat: string): JsonValue {
  if (!Array.isArray(value)) return value;
  return value.map((row) => {
    if (!isObject(row)) return row;
    return Object.fromEntries(
      Object.entries(row).map(([name, member]) => [withoutPrefix(name, repeat), toRows(member, name)]),
    );
  });
}

/** Removes the path of a repeat from a name: `kid/name` becomes `name`. */
export function withoutPrefix(name: string, repeat: string): string {
  return name.startsWith(`${repeat}/`) ? name.slice(repeat.length + 1) : name;
}

function stepsOf(name: string): { readonly steps: readonly [string, number][]; readonly field: string } | undefined {
  if (!name.includes('[')) return undefined;
  const steps: [string, number][] = [];
  let at = 0;
  while (steps.length < MAX_REPEAT_DEPTH) {
    STEP.lastIndex = at;
    const [step, repeat, number] = STEP.exec(name) ?? [];
    if (step === undefined || repeat === undefined) break;
    steps.push([repeat, Number(number)]);
    at += step.length;
  }
  return steps.length === 0 || at === name.length ? undefined : { steps, field: name.slice(at) };
}

function toLists(repeats: RepeatRows): JsonObject {
  return Object.fromEntries(
    [...repeats].map(([name, rows]) => [
      name,
      [...rows]
        .toSorted(([one], [other]) => one - other)
        .map(([, row]) => ({ ...Object.fromEntries(row.fields), ...toLists(row.repeats) })),
    ]),
  );
}
