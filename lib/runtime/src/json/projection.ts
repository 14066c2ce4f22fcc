import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

type Plain = string | number | boolean | null | undefined | Date | readonly string[] | JsonObject;

type Convert<Value> = (value: Value) => JsonValue | undefined;

/**
 * For each member of a record: `true` copies it, `false` leaves it out, a function converts its value, and a pair
 * renames it too. Only plain values can be copied.
 */
type ProjectionTable<Item> = {
  readonly [Key in keyof Item]-?:
    | (Item[Key] extends Plain ? true : never)
    | false
    | Convert<Item[Key]>
    | readonly [name: string, convert: Convert<Item[Key]>];
};

type Column = boolean | Convert<unknown> | readonly [string, Convert<unknown>];

/**
 * Returns a function that converts records to JSON objects, with names in snake case. Members that are undefined are
 * left out. A table that lacks a member of the record does not compile.
 *
 * @example const toData = createProjection<Project>({ id: ['project_id', (id) => id], name: true, secret: false });
 */
export function createProjection<Item extends object>(table: ProjectionTable<Item>): (item: Item) => JsonObject {
  // The type of the table allows only keys of the record, and `true` only for plain values.
  const columns = (Object.entries(table) as [keyof Item & string, Column][])
    .filter(([, column]) => column !== false)
    .map(([key, column]) => ({ key, ...toColumn(key, column) }));
  return (item) => {
    const json: JsonObject = {};
    for (const { key, name, convert } of columns) {
      const value = convert(item[key]);
      if (value !== undefined) json[name] = value;
    }
    return json;
  };
}

function toColumn(key: string, column: Column): { readonly name: string; readonly convert: Convert<unknown> } {
  if (typeof column === 'boolean') return { name: toSnakeCase(key), convert: toJson };
  if (typeof column === 'function') return { name: toSnakeCase(key), convert: column };
  const [name, convert] = column;
  return { name, convert };
}

/** `maxResponses` becomes `max_responses`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toJson(value: unknown): JsonValue | undefined {
  // All other plain values are JSON values.
  return value instanceof Date ? value.toISOString() : (value as JsonValue | undefined);
}
