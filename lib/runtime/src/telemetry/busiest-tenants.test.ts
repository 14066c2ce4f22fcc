import { describe, expect, it } from 'vitest';
import { selectBusiest, type TenantLoad } from './busiest-tenants.ts';

const load = (tenantId: string, requests: number, series = 10, hasSeries = false): TenantLoad => ({
  tenantId,
  requests,
  series,
  hasSeries,
});

describe('the busiest tenants', () => {
  it('are those with most requests at all processes, as far as their series fit', () => {
    const reports = [
      [load('a', 50), load('b', 40), load('c', 5)],
      [load('c', 60, 20), load('a', 1)],
    ];
    expect(selectBusiest(reports, 30)).toEqual({ tenantIds: ['c', 'a'], isComplete: false });
    expect(selectBusiest(reports, 40)).toEqual({ tenantIds: ['c', 'a', 'b'], isComplete: true });
    expect(selectBusiest(reports, 19)).toEqual({ tenantIds: [], isComplete: false });
    expect(selectBusiest([], 0)).toEqual({ tenantIds: [], isComplete: true });
  });

  it('keep their series until another one is twice as busy', () => {
    expect(selectBusiest([[load('old', 10, 10, true), load('new', 19)]], 10).tenantIds).toEqual(['old']);
    expect(selectBusiest([[load('old', 10, 10, true), load('new', 21)]], 10).tenantIds).toEqual(['new']);
    expect(selectBusiest([[load('old', 5)], [load('old', 5, 10, true), load('new', 19)]], 10).tenantIds).toEqual([
      'old',
    ]);
  });

  it('are the same in any order of the reports', () => {
    const reports = [[load('b', 1), load('a', 1)], [load('c', 1)]];
    expect(selectBusiest(reports, 20)).toEqual(selectBusiest([...reports].reverse(), 20));
  });
});
