import { Binary } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { OutboxEvent } from './outbox-event.ts';
import { createOutboxPosition } from './outbox-relay.ts';

const eventAt = (ms: number): OutboxEvent => ({
  id: `${ms}`,
  topic: 't',
  key: 'k',
  type: 'changed',
  source: '/',
  at: new Date(ms),
  value: new Binary(),
  headers: {},
});
const pageOf = (...times: readonly number[]) => times.map((ms) => ({ outbox: [eventAt(ms)] }));

function createAt(start: number) {
  let now = start;
  const position = createOutboxPosition(
    () => now,
    () => now,
  );
  return {
    position,
    pass: (ms: number) => {
      now += ms;
    },
    /** Reads a page in a step that takes some time, and returns its start. */
    read(costMs = 0) {
      const from = position.beginStep();
      now += costMs;
      position.endStep();
      return from?.getTime();
    },
  };
}

describe('the position of a relay', () => {
  it('starts at the beginning', () => {
    expect(createAt(0).read()).toBeUndefined();
  });

  it('continues shortly before the end of the last page, and sometimes looks back one second', () => {
    const { position, read, pass } = createAt(100_000);
    read();
    position.onPublished(pageOf(90_000, 95_000));
    expect([read(), read(), read()]).toEqual([94_000, 94_900, 94_900]);
    pass(100);
    expect([read(), read()]).toEqual([94_000, 94_900]);
  });

  it.each([0, 200, 60_000])('looks for events of any age ten seconds after a look that took %i ms', (costMs) => {
    const { position, read, pass } = createAt(100_000);
    read(costMs);
    position.onPublished(pageOf(95_000));
    pass(9_999);
    expect(read()).toBe(94_000);
    pass(1);
    expect(read()).toBeUndefined();
    expect(read()).toBe(94_900);
  });

  it('looks for events of any age after a slow step, once', () => {
    const { position, read } = createAt(100_000);
    read();
    position.onPublished(pageOf(95_000));
    expect(read(499)).toBe(94_000);
    expect(read(500)).toBe(94_900);
    expect(read(5_000)).toBeUndefined();
    expect(read()).toBe(94_000);
  });

  it('looks for events of any age after each failed step', () => {
    const { position, read } = createAt(100_000);
    read();
    position.onPublished(pageOf(95_000));
    for (let failures = 0; failures < 3; failures += 1) {
      position.beginStep();
      expect(position.beginStep()).toBeUndefined();
    }
    expect(read()).toBeUndefined();
    expect(read()).toBe(94_000);
  });

  it('ignores clocks that are ahead', () => {
    const { position, read } = createAt(100_000);
    read();
    position.onPublished(pageOf(9_000_000));
    read();
    expect(read()).toBe(99_900);
  });

  it('skips few removed entries at 10,000 events per second', () => {
    // MongoDB skips 100,000 removed entries in 16 ms, and keeps them for about five minutes.
    const [rate, entriesPerMs, keptMs, pageMs] = [10_000, 100_000 / 16, 300_000, 5];
    const { position, pass } = createAt(0);
    let now = 0;
    let passed = 0;
    const SECONDS = 1_200;
    while (now < SECONDS * 1_000) {
      const since = position.beginStep()?.getTime() ?? Math.max(0, now - keptMs);
      const entries = (Math.max(0, now - since) / 1_000) * rate;
      const ms = pageMs + entries / entriesPerMs;
      passed += entries;
      // A page has 500 documents: at this rate, the relay must read one every 50 ms.
      const stepMs = Math.max(50, ms);
      position.onPublished(pageOf(now));
      pass(stepMs);
      now += stepMs;
      position.endStep();
    }
    const shareOfTime = passed / entriesPerMs / (SECONDS * 1_000);
    expect(shareOfTime).toBeLessThan(0.06);
  });
});
