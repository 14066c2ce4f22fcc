import { Counter, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { startAtZero } from './metrics.ts';

it('starts a series for each combination of values', async () => {
  const registers = [new Registry()];
  const counter = new Counter({ name: 'a_total', help: 'a', labelNames: ['group', 'kind'], registers });
  startAtZero(counter, { group: 'g', kind: ['x', 'y'] });
  const { values } = await counter.get();
  expect(values).toEqual([
    { labels: { group: 'g', kind: 'x' }, value: 0 },
    { labels: { group: 'g', kind: 'y' }, value: 0 },
  ]);
});
