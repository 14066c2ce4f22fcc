import { describe, expect, it } from 'vitest';
import { createFairQueue } from './scheduler.ts';

interface Item {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly name: string;
}

/** `a1 a1 b1`: two of the webhook a1 of tenant a, then one of b1 of tenant b. */
function queueOf(text: string) {
  const queue = createFairQueue<Item>();
  const counts = new Map<string, number>();
  for (const webhookId of text.split(' ')) {
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    queue.push({ tenantId: webhookId.slice(0, 1), webhookId, name: `${webhookId}.${count}` });
  }
  return queue;
}

function takeAll(queue: ReturnType<typeof queueOf>, tryStart = (_item: Item) => true): readonly string[] {
  const names: string[] = [];
  for (let item = queue.next(tryStart); item !== undefined; item = queue.next(tryStart)) names.push(item.name);
  return names;
}

/** The number of queued items: all, and those of a webhook. Takes all out of the queue and adds them again. */
function sizesOf(queue: ReturnType<typeof queueOf>, webhookId: string): readonly number[] {
  const queued = queue.removeWhere(() => true);
  for (const item of queued) queue.push(item);
  return [queued.length, queued.filter((item) => item.webhookId === webhookId).length];
}

const A1 = 'a1';

describe('a fair queue', () => {
  it('serves tenants in turn, then the webhooks of each, in order for one webhook', () => {
    const queue = queueOf('a1 a1 a1 a2 b1');
    expect(takeAll(queue)).toEqual(['a1.1', 'b1.1', 'a2.1', 'a1.2', 'a1.3']);
    expect(sizesOf(queue, A1)).toEqual([0, 0]);
  });

  it('skips items that cannot start, and keeps them', () => {
    const queue = queueOf('a1 a1 a2 b1');
    expect(takeAll(queue, ({ webhookId }) => webhookId !== 'a1')).toEqual(['a2.1', 'b1.1']);
    expect(sizesOf(queue, A1)).toEqual([2, 2]);
    expect(takeAll(queue)).toEqual(['a1.1', 'a1.2']);
  });

  it('serves a webhook although many others of its tenant cannot start', () => {
    const queue = queueOf([...Array.from({ length: 100 }, (_, n) => `a${n}`), 'a-last'].join(' '));
    const isLast = ({ webhookId }: Item) => webhookId === 'a-last';
    const found = Array.from({ length: 4 }, () => queue.next(isLast)?.name);
    expect(found.filter((name) => name !== undefined)).toEqual(['a-last.1']);
    expect(sizesOf(queue, A1)[0]).toBe(100);
  });

  it('removes items that match', () => {
    const queue = queueOf('a1 a1 b1');
    const removed = queue.removeWhere(({ name }) => name !== 'a1.2');
    expect(removed.map(({ name }) => name)).toEqual(['a1.1', 'b1.1']);
    expect(takeAll(queue)).toEqual(['a1.2']);
  });
});
