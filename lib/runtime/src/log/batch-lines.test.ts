import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchLines } from './batch-lines.ts';

function setUp() {
  const written: string[] = [];
  return { written, lines: batchLines({ write: (text) => void written.push(text) }) };
}

describe('gathered lines', () => {
  it('are written once a turn, in their order', async () => {
    const { written, lines } = setUp();
    lines.write('1\n');
    lines.write('2\n');
    expect(written).toEqual([]);
    await nextTurn();
    lines.write('3\n');
    await nextTurn();
    expect(written).toEqual(['1\n2\n', '3\n']);
  });

  it('are written at once when they are flushed, and only once', async () => {
    const { written, lines } = setUp();
    lines.write('1\n');
    lines.flushSync();
    expect(written).toEqual(['1\n']);
    await nextTurn();
    lines.flushSync();
    expect(written).toEqual(['1\n']);
  });
});
