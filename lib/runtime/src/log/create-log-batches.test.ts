import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchLines } from './create-log.ts';

function setUp() {
  const written: string[] = [];
  return { written, lines: batchLines({ write: (text) => void written.push(text) }) };
}

describe('batched lines', () => {
  it('are written once per iteration of the event loop, in order', async () => {
    const { written, lines } = setUp();
    lines.write('1\n');
    lines.write('2\n');
    expect(written).toEqual([]);
    await nextIteration();
    lines.write('3\n');
    await nextIteration();
    expect(written).toEqual(['1\n2\n', '3\n']);
  });

  it('are written immediately by a flush, and only once', async () => {
    const { written, lines } = setUp();
    lines.write('1\n');
    lines.flushSync();
    expect(written).toEqual(['1\n']);
    await nextIteration();
    lines.flushSync();
    expect(written).toEqual(['1\n']);
  });
});
