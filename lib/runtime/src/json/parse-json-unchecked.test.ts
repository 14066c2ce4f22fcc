import { describe, expect, it } from 'vitest';
import { parseUnchecked } from './parse-json.ts';

/** First parses objects with names that V8 may return instead of the names in the text. */
function readSeveralTimes(text: string): unknown {
  for (const name of ['b', '\\\\', 'caf\\\\', '\\"']) JSON.parse(`{"a":[],"${name}":0}`);
  parseUnchecked(text);
  return parseUnchecked(text);
}

describe('parseUnchecked', () => {
  it.each([
    ['{"a":1,"\\u0062":2}', { a: 1, b: 2 }],
    ['{"a":1,"\\u00e9" : 2}', { a: 1, é: 2 }],
    ['{"a":1,"\\"":2}', { a: 1, '"': 2 }],
    ['{"a":1,"caf\\u00e9":2}', { a: 1, café: 2 }],
    [
      '[{"a":1,"caf\\\\":2},{"a":1,"caf\\"":2}]',
      [
        { a: 1, 'caf\\': 2 },
        { a: 1, 'caf"': 2 },
      ],
    ],
    ['{"a":1,"\\n":2,"\\\\":3,"b":4}', { a: 1, '\n': 2, '\\': 3, b: 4 }],
    ['[{"a":1,"\\u0062":{"a":1,"\\u0062":[{"a":1,"\\t":null}]}}]', [{ a: 1, b: { a: 1, b: [{ a: 1, '\t': null }] } }]],
    ['{"a":"\\u0062","b":"\\"\\n\\":"}', { a: 'b', b: '"\n":' }],
    ['{"a":1,"\\u0031":2,"0":3}', { a: 1, 0: 3, 1: 2 }],
    ['{"a":1,"b":1,"\\u0062":2}', { a: 1, b: 2 }],
    ['{"b":1,"\\u0062":2,"b":3}', { b: 3 }],
    ['{"\\u0031":1,"1":2}', { 1: 2 }],
    ['{"a":1,"\\ud83d":2,"x\\u0000":{"\\"":3}}', { a: 1, '\ud83d': 2, 'x\u0000': { '"': 3 } }],
    [
      '{"__proto__":1,"\\u0062":2}',
      Object.fromEntries([
        ['__proto__', 1],
        ['b', 2],
      ]),
    ],
    ['{"a":1,"\\ud83d\\ude00":2}', { a: 1, '😀': 2 }],
  ])('reads the names of %s', (text, value) => {
    expect(readSeveralTimes(text)).toStrictEqual(value);
  });

  it('keeps the order of members', () => {
    expect(Object.keys(parseUnchecked('{"c":1,"\\u0062":2,"a":3}') as object)).toEqual(['c', 'b', 'a']);
  });

  it.each(['{"a":1,"\\x":2}', '{"\\u0062":2', '{"\\u0062":2}}', '{"a":1,"\\"":}'])('rejects %s', (text) => {
    expect(() => parseUnchecked(text)).toThrow(SyntaxError);
  });
});
