import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { expect, it } from 'vitest';
import { createTombstoneRemover } from './deleted-response-store.ts';

it('deletes tombstones an hour after the change feed forgets them, batch by batch', async () => {
  const asked: Date[] = [];
  const sweeper = createTombstoneRemover({
    store: { deleteTombstones: async (before) => asked.push(before) < 3 },
    keptDays: 2,
    lease: { acquire: async () => true, release: async () => {} },
    clock: () => new Date('2024-05-02T12:00:00Z'),
    log: testLog,
  });
  sweeper.start();
  await poll(() => asked.length === 3);
  await sweeper.stop();
  expect(asked).toEqual(Array(3).fill(new Date('2024-04-30T11:00:00Z')));
});
