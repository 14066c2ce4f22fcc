import { describe, expect, it } from 'vitest';
import { createFairMutex, createFairQueue } from './fair-queue.ts';

interface Item {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly name: string;
}

/** A queue by tenant, then by webhook. `a1 a1 b1`: two of the webhook a1 of tenant a, then one of b1 of tenant b. */
function queueOf(text: string) {
  const queue = createFairQueue<Item>({
    keyOf: ({ tenantId }) => tenantId,
    createInner: () => createFairQueue<Item>({ keyOf: ({ webhookId }) => webhookId, maxTried: 32 }),
  });
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

/** The number of queued items: all, and those of a webhook. Removes all items and adds them again. */
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

/** A mutex, and tasks that end when the test ends them. */
function start() {
  const mutex = createFairMutex({ maxPerKey: 2, maxKeys: 2 });
  const started: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const run = (key: string, name: string) =>
    mutex.run(key, async () => {
      started.push(name);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return name;
    });
  return { mutex, run, started, ends };
}

describe('a fair mutex', () => {
  it('runs one task at a time, round robin by key', async () => {
    const { run, started, ends } = start();
    const results = { a1: run('a', 'a1'), a2: run('a', 'a2'), a3: run('a', 'a3'), b1: run('b', 'b1') };
    const order = ['a1', 'a2', 'b1', 'a3'] as const;
    for (const [index, name] of order.entries()) {
      await expect.poll(() => started).toEqual(order.slice(0, index + 1));
      ends[index]?.resolve();
      expect(await results[name]).toBe(name);
    }
  });

  it('rejects too many tasks of a key, and too many keys', async () => {
    const { run, ends } = start();
    const first = run('a', 'a1');
    for (const [key, name] of [
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
    ] as const)
      void run(key, name);
    await expect(run('a', 'a4')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 });
    await expect(run('c', 'c1')).rejects.toMatchObject({ code: 'OVERLOADED' });
    ends[0]?.resolve();
    expect(await first).toBe('a1');
  });

  it('continues after a failed task, and after it was idle', async () => {
    const { mutex } = start();
    await expect(mutex.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const throwAtOnce = () => {
      throw new Error('at once');
    };
    await expect(mutex.run('a', throwAtOnce)).rejects.toThrow('at once');
    expect(await mutex.run('a', async () => 1)).toBe(1);
    expect(await Promise.all(['a', 'b'].map((key) => mutex.run(key, async () => key)))).toEqual(['a', 'b']);
  });
});
