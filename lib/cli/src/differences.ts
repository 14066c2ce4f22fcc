/** A value that two JSON documents do not share. */
export interface Difference {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  /** Undefined if only the other document has it. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares JSON values. Items of arrays are compared by their `id` if all have one, otherwise by position. */
export function findDifferences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => findDifferences(before[name], after[name], `${path}/${escapePointer(name)}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareArrays(before, after, path);
  return Object.is(before, after) ? [] : [{ path, before, after }];
}

function compareArrays(before: readonly unknown[], after: readonly unknown[], path: string): readonly Difference[] {
  const [old, current] = [idsOf(before), idsOf(after)];
  if (old === undefined || current === undefined) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      findDifferences(before[index], after[index], `${path}/${index}`),
    ).flat();
  }
  const common = old.filter((id) => current.includes(id));
  const order = current.filter((id) => old.includes(id));
  const moved =
    common.join('\0') === order.join('\0') ? [] : [{ path: `${path} (order)`, before: common, after: order }];
  const ids = [...new Set([...old, ...current])];
  const changed = ids.flatMap((id) => {
    const [from, to] = [old.indexOf(id), current.indexOf(id)];
    return findDifferences(before[from], after[to], `${path}/${to === -1 ? from : to}`);
  });
  return [...moved, ...changed];
}

/** The ids of all items; undefined if some have none, or two the same. */
function idsOf(items: readonly unknown[]): readonly string[] | undefined {
  const ids = items.flatMap((item) => (isObject(item) && typeof item['id'] === 'string' ? [item['id']] : []));
  return ids.length === items.length && new Set(ids).size === ids.length ? ids : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
