import { describe, expect, it } from 'vitest';
import { run } from './run-step.ts';

/** More than a pipe holds. */
const input = 'a'.repeat(1_000_000);

describe('a command with input', () => {
  it.each([
    ['cannot be run', { command: 'no-such-command', args: [] }, 'no-such-command cannot be run: is it installed?'],
    ['ends before it has read it', { command: 'sh', args: ['-c', 'exit 3'] }, 'sh failed (3)'],
  ])('rejects if it %s', async (_case, command, message) => {
    await expect(run({ ...command, input })).rejects.toThrow(message);
  });
});
