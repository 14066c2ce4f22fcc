/** Counts of integers of 32 bits. Packed counts take a tenth of the memory. */
export interface IntCounts {
  /** Memory, in map entries of about 80 bytes. */
  readonly size: number;
  /** Number of distinct integers. */
  readonly distinct: number;
  add(integer: number, by?: number): void;
  /** The integers with their counts. Packed counts are in order. */
  entries(): Iterable<readonly [integer: number, count: number]>;
  merge(other: IntCounts): void;
  /** Saves memory. Call it after the last addition. */
  pack(): void;
}

/** Number of packed integers that take the memory of a map entry: each takes 8 bytes. */
const PACKED_PER_ENTRY = 10;

/** Integers in order, and the count of each. */
export type PackedCounts = readonly [integers: Int32Array, counts: Uint32Array];

/** @param given packed counts to begin with */
export function createIntCounts(given?: PackedCounts): IntCounts {
  let open: Map<number, number> | undefined = given === undefined ? new Map() : undefined;
  let [integers, counts] = given ?? [new Int32Array(), new Uint32Array()];

  /** Returns the counts as a map, and unpacks them if necessary. */
  function opened(): Map<number, number> {
    open ??= new Map(packed());
    return open;
  }

  function* packed(): Generator<[number, number]> {
    for (const [index, integer] of integers.entries()) yield [integer, counts[index] ?? 0];
  }

  return {
    get size() {
      return open === undefined ? Math.ceil(integers.length / PACKED_PER_ENTRY) : open.size;
    },
    get distinct() {
      return open === undefined ? integers.length : open.size;
    },
    add(integer, by = 1) {
      const map = opened();
      map.set(integer, (map.get(integer) ?? 0) + by);
    },
    entries: () => open ?? packed(),
    merge(other) {
      for (const [integer, count] of other.entries()) this.add(integer, count);
    },
    pack() {
      if (open === undefined) return;
      integers = Int32Array.from(open.keys()).sort();
      counts = Uint32Array.from(integers, (integer) => open?.get(integer) ?? 0);
      open = undefined;
    },
  };
}

export function toPacked(counts: IntCounts): PackedCounts {
  const entries = [...counts.entries()].sort(([one], [other]) => one - other);
  return [Int32Array.from(entries, ([integer]) => integer), Uint32Array.from(entries, ([, count]) => count)];
}

/** The smallest integer that at least half of the counted ones do not exceed; undefined without any. */
export function lowerMedian(counted: IntCounts): number | undefined {
  const sorted = [...counted.entries()].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  return sorted.find(([, count]) => {
    seen += count;
    return seen * 2 >= total;
  })?.[0];
}
