import { describe, expect, it } from 'vitest';
import { lineOfPointer, linesOfValues, parseJson, toJsonText } from './json-text.ts';

describe('linesOfValues', () => {
  it('finds every value of a formatted text', () => {
    const text = toJsonText({
      survey: { title: 'A "quoted", [odd] {title}: \\', pages: [{ questions: [] }, {}] },
      version: 1,
    });
    expect(Object.fromEntries(linesOfValues(text))).toEqual({
      '': 1,
      '/survey': 2,
      '/survey/title': 3,
      '/survey/pages': 4,
      '/survey/pages/0': 5,
      '/survey/pages/0/questions': 6,
      '/survey/pages/1': 8,
      '/version': 11,
    });
  });

  it('reads texts that people wrote, with escaped names', () => {
    const text = '{"a/b":\n [1, true,\n null, "\\"x\\n"],\n\n "\\u0063~": {}}';
    expect(Object.fromEntries(linesOfValues(text))).toEqual({
      '': 1,
      '/a~1b': 1,
      '/a~1b/0': 2,
      '/a~1b/1': 2,
      '/a~1b/2': 3,
      '/a~1b/3': 3,
      '/c~0': 5,
    });
  });

  it('reads nested arrays and single values', () => {
    expect(Object.fromEntries(linesOfValues('[[1,[]],\n[2]]'))).toEqual({
      '': 1,
      '/0': 1,
      '/0/0': 1,
      '/0/1': 1,
      '/1': 2,
      '/1/0': 2,
    });
    expect(Object.fromEntries(linesOfValues('\n"a"'))).toEqual({ '': 2 });
  });
});

describe('lineOfPointer', () => {
  it('falls back to the closest value around a missing one', () => {
    const lines = linesOfValues('{\n"a": {\n"b": 1\n}}');
    expect(['/a/b', '/a/missing/c', '/x', ''].map((path) => lineOfPointer(lines, path))).toEqual([3, 2, 1, 1]);
  });
});

describe('parseJson', () => {
  it('returns the value', () => {
    expect(parseJson('{"a": 1}')).toEqual({ value: { a: 1 } });
  });

  it.each([
    ['a wrong character', '{\n"a": 1,\n}', 3],
    ['a cut text', '{\n"a": 1,\n', 3],
    ['an empty text', '', 1],
    ['a text that the message quotes', '{"title": line 42, "surveys": 1}', undefined],
    ['another text that the message quotes', '{"title": position 7, "surveys": 1}', undefined],
  ])('finds the line of %s', (_case, text, line) => {
    expect(parseJson(text).error?.line).toBe(line);
  });
});
