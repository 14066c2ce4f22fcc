import { expect, it } from 'vitest';
import { escapeControlCharacters, formatJson } from './code-block.tsx';

it('shows control characters as escapes, and keeps lines', () => {
  expect(escapeControlCharacters('a\u202eb\u0000\r\n\tc\u2066é😀')).toBe('a\\u202eb\\u0000\n\tc\\u2066é😀');
});

it('formats JSON that can be read back', () => {
  const value = { title: 'x\u202ey', nested: [1, null] };
  expect(formatJson(value)).toContain('"x\\u202ey"');
  expect(JSON.parse(formatJson(value))).toEqual(value);
});
