/** A value that differs between two JSON documents. */
export interface Difference {
  /** JSON pointer (RFC 6901) in the old document. It ends with ` (order)` if the order of array items differs. */
  readonly oldPath: string;
  /** JSON pointer in the new document, where array items can have other positions. */
  readonly path: string;
  /** The old value; undefined if only the new document has a value. */
  readonly before: unknown;
  /** The new value; undefined if only the old document has a value. */
  readonly after: unknown;
}

/** Compares JSON values. Items of arrays are compared by their `id` if all have one, otherwise by position. */
export function findDifferences(before: unknown, after: unknown, path = '', oldPath = path): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const suffix = `/${escapePointer(name)}`;
      return findDifferences(ownMember(before, name), ownMember(after, name), path + suffix, oldPath + suffix);
    });
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareArrays(before, after, path, oldPath);
  return Object.is(before, after) ? [] : [{ oldPath, path, before, after }];
}

function compareArrays(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  oldPath: string,
): readonly Difference[] {
  const [old, current] = [idsOf(before), idsOf(after)];
  if (old === undefined || current === undefined) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      findDifferences(before[index], after[index], `${path}/${index}`, `${oldPath}/${index}`),
    ).flat();
  }
  const common = old.filter((id) => current.includes(id));
  const order = current.filter((id) => old.includes(id));
  const moved =
    common.join('\0') === order.join('\0')
      ? []
      : [{ oldPath: `${oldPath} (order)`, path: `${path} (order)`, before: common, after: order }];
  const ids = [...new Set([...old, ...current])];
  const changed = ids.flatMap((id) => {
    const [beforeIndex, afterIndex] = [old.indexOf(id), current.indexOf(id)];
    const newIndex = afterIndex === -1 ? beforeIndex : afterIndex;
    const oldIndex = beforeIndex === -1 ? afterIndex : beforeIndex;
    return findDifferences(before[beforeIndex], after[afterIndex], `${path}/${newIndex}`, `${oldPath}/${oldIndex}`);
  });
  return [...moved, ...changed];
}

/** The ids of all items; undefined if an item has none, or if two items have the same. */
function idsOf(items: readonly unknown[]): readonly string[] | undefined {
  const ids = items.flatMap((item) => (isObject(item) && typeof item['id'] === 'string' ? [item['id']] : []));
  return ids.length === items.length && new Set(ids).size === ids.length ? ids : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownMember(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
