import { describe, expect, it } from 'vitest';
import { planFaults } from './schedule.ts';

const targets = {
  processes: ['response-1', 'response-2'],
  lines: ['response-1 to mongodb', 'clients to gateway'],
  databases: ['survey-response'],
};

describe('planFaults', () => {
  it('returns the same faults for a seed, and others for another seed', () => {
    expect(planFaults(7, 600, targets)).toEqual(planFaults(7, 600, targets));
    expect(planFaults(7, 600, targets)).not.toEqual(planFaults(8, 600, targets));
  });

  it('has faults of every kind within ten minutes, all healed in time', () => {
    const faults = planFaults(7, 600, targets).flat();
    const kinds = ['cut', 'disk full', 'kill', 'pause', 'restart', 'stall', 'step down'];
    expect([...new Set(faults.map(({ kind }) => kind))].toSorted()).toEqual(kinds);
    for (const { at, seconds } of faults) expect(at + seconds).toBeLessThanOrEqual(600);
  });

  it('starts a fault after the previous one of its row is healed', () => {
    for (const row of planFaults(7, 600, targets))
      for (const [index, { at }] of row.entries()) {
        const before = row[index - 1];
        if (before !== undefined) expect(at).toBeGreaterThan(before.at + before.seconds);
      }
  });
});
