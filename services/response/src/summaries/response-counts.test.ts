import { describe, expect, it } from 'vitest';
import type { CountedGroup } from '../responses/response-stream-store.ts';
import { toResponseCounts } from './response-count-service.ts';

const at = (second: number) => new Date(Date.UTC(2024, 0, 1, 0, 0, second));
const group = (fields: Partial<CountedGroup>): CountedGroup => ({
  status: 'completed',
  linkId: undefined,
  count: 1,
  lastAt: at(0),
  ...fields,
});

describe('the counts of a survey', () => {
  it('are sums by status, with the time of the latest response', () => {
    const groups = [
      group({ count: 3, lastAt: at(5) }),
      group({ linkId: 'a', count: 2, lastAt: at(7) }),
      group({ status: 'in_progress', count: 4, lastAt: at(1) }),
      group({ status: 'abandoned', linkId: 'a', lastAt: at(2) }),
      group({ status: 'disqualified', linkId: 'b', lastAt: at(3) }),
    ];
    expect(toResponseCounts(groups, at(9))).toEqual({
      all: { total: 11, in_progress: 4, completed: 5, disqualified: 1, abandoned: 1, lastResponseAt: at(7) },
      links: [
        { linkId: 'a', total: 3, in_progress: 0, completed: 2, disqualified: 0, abandoned: 1, lastResponseAt: at(7) },
        { linkId: 'b', total: 1, in_progress: 0, completed: 0, disqualified: 1, abandoned: 0, lastResponseAt: at(3) },
      ],
      countedAt: at(9),
    });
  });

  it('are 0 without responses', () => {
    const none = { total: 0, in_progress: 0, completed: 0, disqualified: 0, abandoned: 0, lastResponseAt: undefined };
    expect(toResponseCounts([], at(9))).toEqual({ all: none, links: [], countedAt: at(9) });
  });

  it('include all links in the sums, and list the 1,000 most used', () => {
    const groups = Array.from({ length: 1_002 }, (_, n) => group({ linkId: `link-${n}`, count: n + 1 }));
    const { all, links } = toResponseCounts(groups, at(9));
    expect(all.total).toBe((1_002 * 1_003) / 2);
    expect([links.length, links[0]?.linkId, links.at(-1)?.linkId]).toEqual([1_000, 'link-1001', 'link-2']);
  });
});
