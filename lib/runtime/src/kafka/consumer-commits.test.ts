import type { OffsetsByTopicPartition } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { createOffsetCommits } from './consumer.ts';

const at = (offset: string): OffsetsByTopicPartition => ({
  topics: [{ topic: 'things', partitions: [{ partition: 0, offset }] }],
});

/** A consumer that has handled messages up to an offset, and its commits. */
function setUp({ isRunning = true, store = async () => {} }: { isRunning?: boolean; store?: () => Promise<void> }) {
  const committed: string[] = [];
  let reached = '1';
  const batch = {
    uncommittedOffsets: () => at(reached),
    isRunning: () => isRunning,
    async commitOffsetsIfNecessary(offsets?: OffsetsByTopicPartition) {
      await store();
      committed.push(offsets?.topics[0]?.partitions[0]?.offset ?? 'none');
    },
  };
  const handle = (offset: string) => async () => {
    reached = offset;
  };
  return { committed, batch, handle, commits: createOffsetCommits(testLog) };
}

describe('the offsets of a consumer', () => {
  it('are not committed by a batch while the consumer runs', async () => {
    const { commits, batch, handle, committed } = setUp({});
    await commits.runBatch(batch, handle('5'));
    expect(committed).toEqual([]);
  });

  it('are committed in the background', async () => {
    const { commits, batch, handle, committed } = setUp({});
    await commits.runBatch(batch, handle('5'));
    commits.start();
    await expect.poll(() => committed).toEqual(['5']);
    await commits.stop();
  });

  it('are committed after the last batch before a stop', async () => {
    const { commits, batch, handle, committed } = setUp({ isRunning: false });
    await commits.runBatch(batch, handle('5'));
    expect(committed).toEqual(['5']);
  });

  it('are committed up to the failure of a batch, which is reported', async () => {
    const { commits, batch, handle, committed } = setUp({});
    const failing = async () => {
      await handle('3')();
      throw new Error('away');
    };
    await expect(commits.runBatch(batch, failing)).rejects.toThrow('away');
    expect(committed).toEqual(['3']);
  });

  it('are committed sequentially, the newest last', async () => {
    const first = Promise.withResolvers<void>();
    let calls = 0;
    const store = () => (calls++ === 0 ? first.promise : Promise.resolve());
    const { commits, batch, handle, committed } = setUp({ isRunning: false, store });
    const ended = commits.runBatch(batch, handle('5'));
    await expect.poll(() => calls).toBe(1);
    const later = commits.runBatch(batch, handle('9'));
    first.resolve();
    await Promise.all([ended, later]);
    expect(committed).toEqual(['5', '9']);
  });

  it('do not block the stop if the last commit fails', async () => {
    const store = () => Promise.reject(new Error('no coordinator'));
    const { commits, batch, handle } = setUp({ store });
    await commits.runBatch(batch, handle('5'));
    await expect(commits.stop()).resolves.toBeUndefined();
  });

  it('are not committed without a batch', async () => {
    const { commits, committed } = setUp({});
    commits.start();
    await commits.stop();
    expect(committed).toEqual([]);
  });
});
