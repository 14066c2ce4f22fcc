/** Whether two keys of queries belong to one list: only their last part, the filters, may differ. */
export function isSameList(key: readonly unknown[], other: readonly unknown[]): boolean {
  const listOf = (parts: readonly unknown[]) => JSON.stringify([parts.length, parts.slice(0, -1)]);
  return listOf(key) === listOf(other);
}
