/** A map, or a weak one. */
interface Values<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key. If the key has none, adds what `make` returns. */
export function getOrAdd<Key, Value>(values: Values<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}

/** Adds a value to the list of a key. */
export function addToList<Key, Value>(lists: Values<Key, Value[]>, key: Key, value: Value): void {
  getOrAdd(lists, key, () => []).push(value);
}

/** Adds a value to the set of a key. */
export function addToSet<Key, Value>(sets: Values<Key, Set<Value>>, key: Key, value: Value): void {
  getOrAdd(sets, key, () => new Set()).add(value);
}
