/** A parsed JSON object of unknown shape. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** In a definition, a missing member and null mean the same. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Reads a member by a name from outside, without inherited names such as `constructor`. */
export function ownMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The items of an array; none for other values. */
export function itemsOf(value: unknown): readonly unknown[] {
  return isArray(value) ? value : [];
}

/** Whether two JSON values are equal. The order of members does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (isArray(left) && isArray(right))
    return left.length === right.length && left.every((item, index) => isSameJson(item, right[index]));
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
    );
  }
  return left === right;
}

/** Sets a member of a new object, also one named `__proto__`. */
export function setMember<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}
