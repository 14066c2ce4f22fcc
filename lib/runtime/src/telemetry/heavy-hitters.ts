/** A key with its estimated weight. */
interface Hitter {
  readonly key: string;
  readonly weight: number;
}

/** Estimates the keys of largest weight in a stream, in bounded memory. */
export interface HeavyHitters {
  add(key: string): void;
  /** All keys in memory, heaviest first. */
  list(): readonly Hitter[];
  /** Multiplies all weights by `factor`, so that older observations count less. */
  decay(factor: number): void;
}

interface Entry {
  key: string;
  weight: number;
  /** Its index in the heap. */
  index: number;
}

/**
 * Creates a sketch by the space-saving algorithm (Metwally, Agrawal, El Abbadi, 2005). An unknown key replaces the
 * lightest one and inherits its weight. Weights are never too small, and too large by at most total / `capacity`.
 */
export function createHeavyHitters({ capacity }: { readonly capacity: number }): HeavyHitters {
  const entries = new Map<string, Entry>();
  /** A binary heap with the lightest entry first. */
  const heap: Entry[] = [];

  function putAt(entry: Entry, index: number): void {
    heap[index] = entry;
    entry.index = index;
  }

  /** Moves an entry that became heavier away from the root. */
  function sink(entry: Entry): void {
    let { index } = entry;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const lighter = right !== undefined && left !== undefined && right.weight < left.weight ? right : left;
      if (lighter === undefined || lighter.weight >= entry.weight) break;
      const { index: next } = lighter;
      putAt(lighter, index);
      index = next;
    }
    putAt(entry, index);
  }

  /** Puts a new entry at its position. Its index is the end of the heap. */
  function rise(entry: Entry): void {
    let { index } = entry;
    while (index > 0) {
      const parent = heap[(index - 1) >> 1];
      if (parent === undefined || parent.weight <= entry.weight) break;
      const { index: next } = parent;
      putAt(parent, index);
      index = next;
    }
    putAt(entry, index);
  }

  return {
    add(key) {
      const known = entries.get(key);
      if (known !== undefined) {
        known.weight += 1;
        return sink(known);
      }
      const [lightest] = heap;
      if (heap.length < capacity || lightest === undefined) {
        const entry = { key, weight: 1, index: heap.length };
        entries.set(key, entry);
        return rise(entry);
      }
      entries.delete(lightest.key);
      lightest.key = key;
      lightest.weight += 1;
      entries.set(key, lightest);
      sink(lightest);
    },
    list: () => heap.map(({ key, weight }) => ({ key, weight })).sort((one, other) => other.weight - one.weight),
    decay(factor) {
      // The order of the heap stays.
      for (const entry of heap) entry.weight *= factor;
    },
  };
}
