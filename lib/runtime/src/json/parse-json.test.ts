import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonError, parseJson } from './parse-json.ts';

function problemOf(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    const { name, problem, path } = error as JsonError;
    return `${name} ${problem} ${path}`;
  }
  throw new Error(`${text} was taken`);
}

describe('parseJson', () => {
  it.each([
    ['', 0],
    [' ', 1],
    ['{"data":{"q":"x"},}', 18],
    ['{"a":1', 6],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[01]', 2],
    ['{"a":tru}', 5],
    ['"a\nb"', 2],
    ['"a\\x"', 2],
    ['"a', 2],
    ['[}', 1],
    ['1,', 1],
    ["{'a':1}", 1],
    ['{"a":1}}', 7],
    ['{"a":NaN}', 5],
  ])('finds where %j stops to be JSON', (text, index) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ problem: 'MALFORMED', index }));
  });

  it('finds a place in every text that is not JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', '"', ',', '\\', 'x', '\n'), (json, at, change) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + change + json.slice(place + 1);
        try {
          JSON.parse(text);
        } catch {
          try {
            parseJson(text);
          } catch (error) {
            const { problem, index = -1 } = error as JsonError;
            if (problem === 'MALFORMED') expect([index >= 0, index <= text.length]).toEqual([true, true]);
          }
        }
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{ "a" : 1 , "b" : "}" , "a" : 1 }', '/a'],
    ['{"a":{"b":1,"b":2}}', '/a/b'],
    ['[0,{"a":[{"b/~":1,"b/~":2}]}]', '/1/a/0/b~1~0'],
    ['{"a\\"":1,"a\\"":2}', '/a"'],
    ['{"":1,"":2}', '/'],
    ['{"x":{"a":1},"y":[],"x":0}', '/x'],
  ])('reports where a name occurs twice in %s', (text, path) => {
    expect(problemOf(text)).toBe(`JsonError DUPLICATE_MEMBER ${path}`);
  });

  it.each([0, 15, 16, 17, 39])('finds a repeated name among 40 members, at index %i', (number) => {
    const members = Array.from({ length: 40 }, (_, index) => `"m${index}":{"m0":1}`);
    expect(Object.keys(parseJson(`{${members.join()}}`) as object)).toHaveLength(40);
    expect(problemOf(`{${[...members, `"m${number}":1`].join()}}`)).toBe(`JsonError DUPLICATE_MEMBER /m${number}`);
  });

  it('accepts a name in several objects, and as a value', () => {
    const text = '{"a":{"b":[{"b":1},{"b":2}]},"b":"\\"a\\":","c":"a","d":["a","a"]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"__proto__":1}', '/__proto__'],
    ['{"a":[{"\\u005f_proto__":{}}]}', '/a/0/__proto__'],
  ])('rejects __proto__ as a name in %s', (text, path) => {
    expect(problemOf(text)).toBe(`JsonError FORBIDDEN_NAME ${path}`);
  });

  it.each(['1e400', '-1e400', '9007199254740992', '-9007199254740993', '12345678901234567890', '1e20', '1E+16'])(
    'rejects the number %s, which is not exact',
    (number) => {
      expect(problemOf(`{"a":[0,${number}]}`)).toBe('JsonError NUMBER_OUT_OF_RANGE /a/1');
    },
  );

  it.each(['9007199254740991', '-9007199254740991', '0.1234567890123456789', '1e-400', '1.5e3', '-0', '1E5'])(
    'takes the number %s',
    (number) => {
      expect(parseJson(number)).toBe(Number(number));
    },
  );

  it('accepts 64 levels, and rejects more before it builds anything', () => {
    expect(parseJson(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeDefined();
    expect(parseJson(`[${'[],{},'.repeat(100)}0]`)).toHaveLength(201);
    expect(problemOf(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe(`JsonError TOO_DEEP ${'/0'.repeat(64)}`);
    expect(problemOf('{"a":'.repeat(65))).toBe(`JsonError TOO_DEEP ${'/a'.repeat(64)}`);
    expect(problemOf('['.repeat(16 * 1024 * 1024))).toMatch(/TOO_DEEP/);
  });

  it.each([
    '',
    ' ',
    '{',
    '"',
    '"\\',
    '{"a"}',
    '{"a":1,}',
    '[1,]',
    '1 2',
    '{"a":1}{}',
    '}',
    ']',
    ',',
    '-',
    '01',
    '1e',
    "'a'",
  ])('rejects %j as malformed', (text) => {
    expect(problemOf(text)).toBe('JsonError MALFORMED ');
  });

  it('rejects a name with an invalid escape', () => {
    expect(problemOf('{"\\x":1}')).toBe('JsonError MALFORMED ');
  });

  it('returns the same as JSON.parse, for any spacing and escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), choices, (value, choose) => {
        const text = spell(toNode(value), choose);
        const read = attempt(() => parseJson(text));
        if (read instanceof Error) expect(read.message).toMatch(/NUMBER_OUT_OF_RANGE|FORBIDDEN_NAME/);
        else expect(read).toStrictEqual(toValue(toNode(value)));
      }),
    );
  });

  it('rejects everything that JSON.parse rejects, and otherwise returns the same', () => {
    const piece = fc.constantFrom(...'{}[],:"\\-.e1 ', '"a"', '"b"', '\\u0061', '"a":', 'null');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const value = attempt(() => parseJson(text));
        if (value instanceof Error) return;
        const expected = attempt(() => JSON.parse(text));
        // `JSON.parse` may misread names with escapes (see `parseUnchecked`), so only compare whether it accepts them.
        if (/\\[^"]*"\s*:/.test(text)) expect(expected).not.toBeInstanceOf(Error);
        else expect(value).toStrictEqual(expected);
      }),
      { numRuns: 5000 },
    );
  });

  it('finds all repeated names, and nothing else', () => {
    const name = fc.constantFrom('a', 'b', '"', '\\', '\\"', 'é', '{', ':', '');
    const { node } = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Node>(0, 'a', null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.array(fc.tuple(name, tie('node')), { maxLength: 4 }).map((members) => ({ members })),
      ),
    }));
    fc.assert(
      fc.property(node, choices, (tree, choose) => {
        const text = spell(tree, choose);
        if (hasDuplicate(tree)) expect(problemOf(text)).toMatch(/DUPLICATE_MEMBER/);
        else expect(parseJson(text)).toStrictEqual(toValue(tree));
      }),
    );
  });
});

/** A JSON value whose objects may have two members of one name. */
type Node =
  | null
  | boolean
  | number
  | string
  | readonly Node[]
  | { readonly members: readonly (readonly [string, Node])[] };

const choices = fc.infiniteStream(fc.nat(3));

function toValue(node: Node): unknown {
  // `JSON.stringify` writes no -0.
  if (Object.is(node, -0)) return 0;
  if (typeof node !== 'object' || node === null) return node;
  if ('members' in node) return Object.fromEntries(node.members.map(([name, member]) => [name, toValue(member)]));
  return node.map(toValue);
}

function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return error;
  }
}

function toNode(value: unknown): Node {
  if (Array.isArray(value)) return value.map(toNode);
  if (typeof value !== 'object' || value === null) return value as Node; // what else JSON has
  return { members: Object.entries(value).map(([name, member]) => [name, toNode(member)]) };
}

function hasDuplicate(node: Node): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (!('members' in node)) return node.some(hasDuplicate);
  const names = new Set(node.members.map(([name]) => name));
  return names.size < node.members.length || node.members.some(([, member]) => hasDuplicate(member));
}

function spell(node: Node, choose: Iterator<number>): string {
  const space = () => ['', '', ' ', '\n\t'][choose.next().value as number] ?? '';
  const list = (parts: readonly string[]) => parts.map((part) => space() + part + space()).join(',');
  if (typeof node === 'string') return spellText(node, choose);
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  if (!('members' in node)) return `[${list(node.map((item) => spell(item, choose)))}]`;
  return `{${list(node.members.map(([name, member]) => `${spellText(name, choose)}${space()}:${spell(member, choose)}`))}}`;
}

function spellText(text: string, choose: Iterator<number>): string {
  const unit = (code: string) => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${text
    .split('')
    .map((code) => (choose.next().value === 0 ? unit(code) : JSON.stringify(code).slice(1, -1)))
    .join('')}"`;
}
