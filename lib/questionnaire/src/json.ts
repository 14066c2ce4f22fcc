/** A JSON object as it came from a parser: its members are not known yet. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A member that is not there and one that is null mean the same in a definition. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

/** Reads a member whose name came from outside; `constructor` and `__proto__` are names like any other. */
export const ownMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The items of an array, or none when the value is not an array. */
export const itemsOf = (value: unknown): readonly unknown[] => (isArray(value) ? value : []);

/** Sets a member of an object that is being made; `__proto__` is a name like any other. */
export const setMember = <Value>(object: Record<string, Value>, name: string, value: Value): void => {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
};
