import { describe, expect, it } from 'vitest';
import { createRowCounter, type RowFormat } from './row-counter.ts';

describe('createRowCounter', () => {
  it.each<[RowFormat, string, number]>([
    ['csv', '', 0],
    ['csv', 'id,text\r\n', 0],
    ['csv', 'id,text\r\n1,"two\nlines"\r\n2,"a ""quote"""\r\n3,"""\n"""\r\n', 3],
    ['ndjson', '{"id":1}\n{"text":"\\""}\n', 2],
    ['json', '[\n{"id":1},\n{"id":2}\n]\n', 2],
  ])('counts the rows of %s: %j', (format, text, rows) => {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 1000]) {
      const counter = createRowCounter(format);
      for (let start = 0; start < bytes.length; start += size) counter.add(bytes.subarray(start, start + size));
      expect(counter.rows()).toBe(rows);
    }
  });
});
