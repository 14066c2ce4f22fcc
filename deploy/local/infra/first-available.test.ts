import { describe, expect, it } from 'vitest';
import { type Attempt, firstAvailable, UnavailableError } from './first-available.ts';

const works = (name: string): Attempt<string> => ({ name, start: async () => `server from ${name}` });
const isNotThere = (name: string): Attempt<string> => ({
  name,
  start: () => Promise.reject(new UnavailableError('not found')),
});
const fails = (name: string): Attempt<string> => ({ name, start: () => Promise.reject(new Error('boom\ndetails')) });

function run(attempts: Attempt<string>[], signal?: AbortSignal) {
  const lines: string[] = [];
  const result = firstAvailable({
    server: 'MongoDB',
    remedy: 'Install it.',
    attempts,
    log: (line) => lines.push(line),
    signal,
  });
  return { result, lines };
}

describe('firstAvailable', () => {
  it('uses the first attempt that works, and logs it', async () => {
    const { result, lines } = run([isNotThere('a'), works('b'), works('c')]);
    expect(await result).toBe('server from b');
    expect(lines).toEqual(['MongoDB: b']);
  });

  it('logs an attempt that fails, and continues', async () => {
    const { result, lines } = run([fails('a'), works('b')]);
    expect(await result).toBe('server from b');
    expect(lines).toEqual(['MongoDB: a does not work (boom)', 'MongoDB: b']);
  });

  it('reports the remedy and all failures if no attempt works', async () => {
    const { result } = run([isNotThere('a'), fails('b')]);
    await expect(result).rejects.toThrow(
      'MongoDB cannot be started. Install it.\n  a: not found\n  b: boom\n    details',
    );
  });

  it('stops after an abort', async () => {
    const { result, lines } = run([fails('a'), works('b')], AbortSignal.abort());
    await expect(result).rejects.toThrow('aborted');
    expect(lines).toEqual([]);
  });
});
