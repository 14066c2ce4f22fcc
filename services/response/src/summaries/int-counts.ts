/** Counts of 32-bit integers, such as answers that are dates. Packed counts take a tenth of the memory. */
export interface IntCounts {
  /** Memory, in map entries of about 80 bytes. */
  readonly memoryEntries: number;
  readonly distinct: number;
  add(integer: number, count?: number): void;
  /** The integers with their counts. Packed integers are in ascending order. */
  entries(): Iterable<readonly [integer: number, count: number]>;
  merge(other: IntCounts): void;
  /** Saves memory. Call it after the last addition. */
  pack(): void;
}

/** Number of packed integers that take as much memory as one map entry. */
const PACKED_PER_ENTRY = 10;

/** Integers in ascending order, and the count of each. */
export type PackedCounts = readonly [integers: Int32Array, counts: Uint32Array];

/** @param given packed counts to begin with */
export function createIntCounts(given?: PackedCounts): IntCounts {
  let unpacked: Map<number, number> | undefined = given === undefined ? new Map() : undefined;
  let [integers, counts] = given ?? [new Int32Array(), new Uint32Array()];

  function unpack(): Map<number, number> {
    unpacked ??= new Map(packed());
    return unpacked;
  }

  function* packed(): Generator<[number, number]> {
    for (const [index, integer] of integers.entries()) yield [integer, counts[index] ?? 0];
  }

  return {
    get memoryEntries() {
      return unpacked === undefined ? sizeOfPacked([integers, counts]) : unpacked.size;
    },
    get distinct() {
      return unpacked === undefined ? integers.length : unpacked.size;
    },
    add(integer, count = 1) {
      const map = unpack();
      map.set(integer, (map.get(integer) ?? 0) + count);
    },
    entries: () => unpacked ?? packed(),
    merge(other) {
      for (const [integer, count] of other.entries()) this.add(integer, count);
    },
    pack() {
      if (unpacked === undefined) return;
      integers = Int32Array.from(unpacked.keys()).sort();
      counts = Uint32Array.from(integers, (integer) => unpacked?.get(integer) ?? 0);
      unpacked = undefined;
    },
  };
}

export function sizeOfPacked([integers]: PackedCounts): number {
  return Math.ceil(integers.length / PACKED_PER_ENTRY);
}

export function toPacked(counts: IntCounts): PackedCounts {
  const entries = [...counts.entries()].sort(([one], [other]) => one - other);
  return [Int32Array.from(entries, ([integer]) => integer), Uint32Array.from(entries, ([, count]) => count)];
}

/** Returns the lower median: the smallest integer that at least half of the counted integers do not exceed. */
export function lowerMedian(counted: IntCounts): number | undefined {
  const sorted = [...counted.entries()].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  return sorted.find(([, count]) => {
    seen += count;
    return seen * 2 >= total;
  })?.[0];
}
