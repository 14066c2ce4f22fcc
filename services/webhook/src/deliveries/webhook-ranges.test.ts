import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWebhookRanges } from './due-claimer.ts';

const SIZE = 10;
type Ranges = ReturnType<typeof createWebhookRanges>;

/** Ids found by each search of a round. */
function searchRound(ranges: Ranges, ids: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let hasMore = true;
  while (hasMore) {
    const { after, upTo } = ranges.current();
    const own = ids.filter((id) => (after === undefined || id > after) && (upTo === undefined || id <= upTo));
    found.push(own);
    hasMore = ranges.advance(own);
  }
  return found;
}

const idLists = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 100 });

it('finds every id once in each round, however the ids change', () => {
  fc.assert(
    fc.property(fc.array(idLists, { maxLength: 5 }), (rounds) => {
      const ranges = createWebhookRanges(SIZE);
      for (const ids of rounds) expect(searchRound(ranges, ids).flat().toSorted()).toEqual(ids.toSorted());
    }),
  );
});

it('finds no more than its size at a time, plus ids that are new since the last round', () => {
  fc.assert(
    fc.property(idLists, idLists, (before, added) => {
      const ranges = createWebhookRanges(SIZE);
      searchRound(ranges, before);
      const news = new Set(added).difference(new Set(before));
      for (const found of searchRound(ranges, [...before, ...news]))
        expect(found.filter((id) => !news.has(id)).length).toBeLessThanOrEqual(SIZE);
    }),
  );
});
