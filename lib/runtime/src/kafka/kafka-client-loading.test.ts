import { expect, it } from 'vitest';
import { retryWhileLoading } from './kafka-client.ts';

/** A task that first fails with errors of these types, like kafkajs, and counts its runs. */
function taskThatFails(...types: readonly string[]) {
  const left = [...types];
  const task = {
    runs: 0,
    async run() {
      task.runs += 1;
      const type = left.shift();
      if (type !== undefined) throw Object.assign(new Error(type), { type });
      return 'offsets';
    },
  };
  return task;
}

it('retries while the coordinator of a group is loading', async () => {
  const task = taskThatFails('GROUP_LOAD_IN_PROGRESS', 'GROUP_LOAD_IN_PROGRESS');
  expect(await retryWhileLoading(task.run)).toBe('offsets');
  expect(task.runs).toBe(3);
});

it('rejects with other errors at once', async () => {
  const task = taskThatFails('GROUP_AUTHORIZATION_FAILED');
  await expect(retryWhileLoading(task.run)).rejects.toMatchObject({ type: 'GROUP_AUTHORIZATION_FAILED' });
  expect(task.runs).toBe(1);
});
