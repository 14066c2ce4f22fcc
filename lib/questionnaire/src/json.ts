/** A parsed JSON object of unknown shape. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** In a definition, a missing member and null mean the same. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

/** Reads a member by a name from outside, without inherited names such as `constructor`. */
export const ownMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The items of an array; none for other values. */
export const itemsOf = (value: unknown): readonly unknown[] => (isArray(value) ? value : []);

/** Sets a member of a new object, also one named `__proto__`. */
export const setMember = <Value>(object: Record<string, Value>, name: string, value: Value): void => {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
};
