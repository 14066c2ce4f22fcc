import { describe, expect, it } from 'vitest';
import { createWaitingLine } from './waiting-line.ts';

interface Item {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly name: string;
}

/** `a1 a1 b1`: two of the webhook a1 of tenant a, then one of b1 of tenant b. */
function lineOf(text: string) {
  const line = createWaitingLine<Item>();
  const counts = new Map<string, number>();
  for (const webhookId of text.split(' ')) {
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    line.push({ tenantId: webhookId.slice(0, 1), webhookId, name: `${webhookId}.${count}` });
  }
  return line;
}

function takeAll(line: ReturnType<typeof lineOf>, begin = (_item: Item) => true): readonly string[] {
  const names: string[] = [];
  for (let item = line.next(begin); item !== undefined; item = line.next(begin)) names.push(item.name);
  return names;
}

describe('what waits', () => {
  it('goes on by turns of tenants, and of the webhooks of each, in order for one webhook', () => {
    const line = lineOf('a1 a1 a1 a2 b1');
    expect(takeAll(line)).toEqual(['a1.1', 'b1.1', 'a2.1', 'a1.2', 'a1.3']);
    expect([line.size(), line.sizeOf('a1')]).toEqual([0, 0]);
  });

  it('is passed over while it cannot go on, and stays', () => {
    const line = lineOf('a1 a1 a2 b1');
    expect(takeAll(line, ({ webhookId }) => webhookId !== 'a1')).toEqual(['a2.1', 'b1.1']);
    expect([line.size(), line.sizeOf('a1')]).toEqual([2, 2]);
    expect(takeAll(line)).toEqual(['a1.1', 'a1.2']);
  });

  it('gets its turn however many webhooks of its tenant cannot go on', () => {
    const line = lineOf([...Array.from({ length: 100 }, (_, n) => `a${n}`), 'a-last'].join(' '));
    const isLast = ({ webhookId }: Item) => webhookId === 'a-last';
    const found = Array.from({ length: 4 }, () => line.next(isLast)?.name);
    expect(found.filter((name) => name !== undefined)).toEqual(['a-last.1']);
    expect(line.size()).toBe(100);
  });

  it('can be taken out', () => {
    const line = lineOf('a1 a1 b1');
    const removed = line.removeWhere(({ name }) => name !== 'a1.2');
    expect(removed.map(({ name }) => name)).toEqual(['a1.1', 'b1.1']);
    expect(takeAll(line)).toEqual(['a1.2']);
  });
});
