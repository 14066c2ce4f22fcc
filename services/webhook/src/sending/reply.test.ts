import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { createReplyReader, toExcerpt } from './reply.ts';

describe('the excerpt of a reply', () => {
  it('has the first 1000 characters, without cutting any', () => {
    expect(toExcerpt(Buffer.from('a'.repeat(1_001)))).toBe('a'.repeat(1_000));
    expect(toExcerpt(Buffer.from('😀'.repeat(1_001)))).toBe('😀'.repeat(1_000));
  });

  it('omits a character that is truncated at the end', () => {
    expect(toExcerpt(Buffer.from('aë').subarray(0, 2))).toBe('a');
  });

  it('replaces NUL and what is not UTF-8', () => {
    expect(toExcerpt(Buffer.from('610062ff63eda08064', 'hex'))).toBe('a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}\u{fffd}d');
  });

  it('is empty without a body', () => {
    expect(toExcerpt(new Uint8Array())).toBe('');
  });
});

describe('the body of a reply', () => {
  const LIMIT = 16 * 1024;

  /** Sends a body in chunks until the reader aborts. Returns the number of bytes that it accepted. */
  function read(pieces: readonly number[]) {
    const { reply, handler } = createReplyReader();
    let isCutOff = false;
    const abort = () => {
      isCutOff = true;
    };
    // The reader uses no other members of the controller.
    const controller = { abort } as unknown as Dispatcher.DispatchController;
    handler.onResponseStart?.(controller, 200, {}, 'OK');
    let taken = 0;
    for (const size of pieces) {
      if (isCutOff) break;
      handler.onResponseData?.(controller, Buffer.alloc(size, 'a'));
      taken += size;
    }
    return { reply, taken, isCutOff };
  }

  it('is read up to 16 KiB, and not further', async () => {
    const bytes = Array.from({ length: LIMIT + 1 }, () => 1);
    const { reply, taken, isCutOff } = read(bytes);
    expect([taken, isCutOff]).toEqual([LIMIT, true]);
    expect(await reply).toMatchObject({ statusCode: 200, endedNormally: true, excerpt: 'a'.repeat(1_000) });
  });

  it('is read completely below the limit', () => {
    expect(read([LIMIT - 1]).isCutOff).toBe(false);
  });

  it('is cut off within a chunk that exceeds the limit', async () => {
    const { reply, taken, isCutOff } = read([1_000, 64 * 1024, 1]);
    expect([taken, isCutOff]).toEqual([1_000 + 64 * 1024, true]);
    expect((await reply).excerpt).toBe('a'.repeat(1_000));
  });
});
