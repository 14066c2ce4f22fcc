import { describe, expect, it } from 'vitest';
import { type Attempt, firstThatWorks, NotThereError } from './first-that-works.ts';

const works = (name: string): Attempt<string> => ({ name, start: async () => `server from ${name}` });
const isNotThere = (name: string): Attempt<string> => ({
  name,
  start: () => Promise.reject(new NotThereError('not found')),
});
const fails = (name: string): Attempt<string> => ({ name, start: () => Promise.reject(new Error('boom\ndetails')) });

function run(attempts: Attempt<string>[], signal?: AbortSignal) {
  const lines: string[] = [];
  const result = firstThatWorks({
    what: 'MongoDB',
    remedy: 'Install it.',
    attempts,
    log: (line) => lines.push(line),
    signal,
  });
  return { result, lines };
}

describe('firstThatWorks', () => {
  it('takes the first way that works and logs which it was', async () => {
    const { result, lines } = run([isNotThere('a'), works('b'), works('c')]);
    expect(await result).toBe('server from b');
    expect(lines).toEqual(['MongoDB: b']);
  });

  it('says so when a way that is there does not work, and goes on', async () => {
    const { result, lines } = run([fails('a'), works('b')]);
    expect(await result).toBe('server from b');
    expect(lines).toEqual(['MongoDB: a does not work (boom)', 'MongoDB: b']);
  });

  it('says in one message what to do, and why each way failed, when none works', async () => {
    const { result } = run([isNotThere('a'), fails('b')]);
    await expect(result).rejects.toThrow(
      'MongoDB cannot be started. Install it.\n  a: not found\n  b: boom\n    details',
    );
  });

  it('tries no other way when it was told to give up', async () => {
    const { result, lines } = run([fails('a'), works('b')], AbortSignal.abort());
    await expect(result).rejects.toThrow('aborted');
    expect(lines).toEqual([]);
  });
});
