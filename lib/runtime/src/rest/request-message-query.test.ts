import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../errors/app-error.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { messageFromJson } from './json-input.ts';
import { readQuery } from './request-message.ts';

const schema = compileContract({
  'test.v1': `
    message List {
      string id = 1;
      int32 count = 2;
      repeated string tags = 3;
      optional bool deleted = 4;
      google.protobuf.Timestamp since = 5;
      double share = 6;
      repeated uint32 numbers = 7;
      map<string, string> targets = 8;
      google.protobuf.Struct where = 9;
    }
  `,
}).message('test.v1.List');
const fields = new Map(schema.fields.map((field) => [field.name, field]));
const read = (query: string) => readQuery(query, fields);

function problemsOf(query: string) {
  try {
    read(query);
  } catch (error) {
    const { code, errors } = error as AppError;
    return [code, ...errors.map(({ path, code }) => `${path} ${code}`)];
  }
  throw new Error(`${query} was taken`);
}

describe('readQuery', () => {
  it('binds texts, numbers, booleans, timestamps and repeated parameters', () => {
    expect(read('id=a+b%26&count=-7&tags=x&tags=y&tags=&deleted=false&share=0.50&numbers=1&numbers=0')).toEqual({
      id: 'a b&',
      count: -7,
      tags: ['x', 'y', ''],
      deleted: false,
      share: 0.5,
      numbers: [1, 0],
    });
    const since = read('since=2026-01-02T03:04:05%2B01:00');
    expect(messageFromJson(schema, since)).toMatchObject({
      since: { seconds: BigInt(Date.UTC(2026, 0, 2, 2, 4, 5) / 1000) },
    });
  });

  it('says how to encode the + of a timestamp', () => {
    const errors = [{ path: '?since', code: 'WRONG_TYPE', detail: expect.stringContaining('encode its + as %2B') }];
    expect(() => read('since=2026-01-02T03:04:05+01:00')).toThrow(expect.objectContaining({ errors }));
  });

  it('reads a map from JSON', () => {
    expect(read('targets=%7B%22a%22:%22b%22%7D')).toEqual({ targets: { a: 'b' } });
    for (const value of ['', '%7B', '%5B%5D', '1', 'a']) {
      expect(problemsOf(`targets=${value}`)).toEqual(['INVALID_REQUEST', '?targets WRONG_TYPE']);
    }
  });

  const where = (value: unknown) =>
    `where=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;

  it('reads an object from JSON', () => {
    const condition = { match: 'all', conditions: [{ source_question: 'größe', operator: 'equals', value: '"+%' }] };
    expect(read(where(condition))).toEqual({ where: condition });
    expect(read(`${new URLSearchParams({ where: JSON.stringify(condition) })}`)).toEqual({ where: condition });
    for (const value of ['', '{', '[]', '1', 'null', '{} {}', '"{}"'])
      expect(problemsOf(where(value))).toEqual(['INVALID_REQUEST', '?where WRONG_TYPE']);
    expect(problemsOf(`${where({})}&${where({})}`)).toEqual(['INVALID_REQUEST', '?where REPEATED']);
  });

  it.each([
    ['{"a":{"b":1,"b":2}}', '?where/a/b DUPLICATE_MEMBER'],
    ['{"a":[{"__proto__":{}}]}', '?where/a/0/__proto__ FORBIDDEN_NAME'],
    ['{"a/b":9007199254740993}', '?where/a~1b NUMBER_OUT_OF_RANGE'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, `?where/a${'/0'.repeat(63)} TOO_DEEP`],
  ])('is as strict with %s as with a body', (value, problem) => {
    expect(problemsOf(where(value))).toEqual(['INVALID_REQUEST', problem]);
    expect(problemsOf(where(value).replace('where', 'targets'))[1]).toBe(problem.replace('where', 'targets'));
  });

  it('reads an object of at most 4,096 characters, and says how to send longer ones', () => {
    const ofLength = (length: number) => where(`{"a":"${'€'.repeat(length - 8)}"}`);
    expect(read(ofLength(4_096))).toEqual({ where: { a: '€'.repeat(4_088) } });
    expect(problemsOf(ofLength(4_097))).toEqual(['INVALID_REQUEST', '?where TOO_LONG']);
    const advised = { detail: 'must have at most 4096 characters; send longer ones in the body of POST /v1/x/query' };
    expect(() => readQuery(ofLength(4_097), fields, '/v1/x/query')).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining(advised)] }),
    );
  });

  it('accepts an empty query, and parameters without a value', () => {
    expect(read('')).toEqual({});
    expect(read('&&')).toEqual({});
    expect(read('id&tags=')).toEqual({ id: '', tags: [''] });
    expect(read('id=a=b')).toEqual({ id: 'a=b' });
  });

  it.each([
    ['nope=1', '?nope UNKNOWN_PARAMETER'],
    ['Id=1', '?Id UNKNOWN_PARAMETER'],
    ['__proto__=1', '?__proto__ UNKNOWN_PARAMETER'],
    ['tags[]=1', '?tags[] UNKNOWN_PARAMETER'],
    ['a/b=1', '?a/b UNKNOWN_PARAMETER'],
    ['%zz=1', '?%zz UNKNOWN_PARAMETER'],
    ['=1', '? UNKNOWN_PARAMETER'],
    ['id=1&id=1', '?id REPEATED'],
    ['count=1&%63ount=2', '?count REPEATED'],
    ['id=%', '?id WRONG_TYPE'],
    ['id=%ff', '?id WRONG_TYPE'],
    ['id=%zz', '?id WRONG_TYPE'],
    ['id=%ed%a0%80', '?id WRONG_TYPE'],
    ['id=\u00c3\u00a9', '?id WRONG_TYPE'],
    ['tags=a&tags=%ff', '?tags WRONG_TYPE'],
    ['deleted', '?deleted WRONG_TYPE'],
    ['deleted=1', '?deleted WRONG_TYPE'],
    ['deleted=True', '?deleted WRONG_TYPE'],
  ])('rejects %s', (query, problem) => {
    expect(problemsOf(query)).toEqual(['INVALID_REQUEST', problem]);
  });

  it.each([
    '1e2',
    '0x10',
    '%2B1',
    '+1',
    '01',
    '',
    '%201',
    '1.',
    '.5',
    '-',
    'NaN',
    'Infinity',
    '1_000',
    '9007199254740993',
    '٣',
  ])('rejects %j as a number', (value) => {
    expect(problemsOf(`count=${encodeURIComponent(decodeURIComponent(value))}`)).toEqual([
      'INVALID_REQUEST',
      '?count WRONG_TYPE',
    ]);
    expect(problemsOf(`share=${value}`)).toContain('?share WRONG_TYPE');
  });

  it.each(['2147483648', '1.5', '-2147483649'])('leaves it to the message to reject %s as an integer', (value) => {
    expect(() => messageFromJson(schema, read(`count=${value}`))).toThrow();
  });

  it('reports all problems, up to a hundred', () => {
    expect(problemsOf('nope=1&count=x&id=1&id=2')).toEqual([
      'INVALID_REQUEST',
      '?nope UNKNOWN_PARAMETER',
      '?count WRONG_TYPE',
      '?id REPEATED',
    ]);
    expect(problemsOf('x&'.repeat(3000))).toHaveLength(101);
  });

  it('decodes any text, in every form encoding', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1 }), fc.infiniteStream(fc.nat(2)), (id, tags, choices) => {
        const pairs = [['id', id] as const, ...tags.map((tag) => ['tags', tag] as const)];
        const query = pairs.map(([name, value]) => `${spell(name, choices)}=${spell(value, choices)}`).join('&');
        expect(read(query)).toEqual({ id, tags });
        expect(read(new URLSearchParams(pairs.map(([...pair]) => pair)).toString())).toEqual({ id, tags });
      }),
      { numRuns: 500 },
    );
  });

  it('decodes any plain decimal number', () => {
    const share = fc.double({ noNaN: true, min: -1e15, max: 1e15 }).filter((value) => !String(value).includes('e'));
    fc.assert(
      fc.property(fc.maxSafeInteger(), share, (whole, real) => {
        expect(read(`count=${whole}&share=${real}`)).toEqual({ count: whole, share: Number(String(real)) });
      }),
    );
  });
});

/**
 * Encodes a space as plus or escape, and characters that RFC 3986 allows in queries raw or escaped. Escapes all others.
 */
function spell(text: string, choices: Iterator<number>): string {
  const escaped = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  return [...Buffer.from(text)]
    .map((byte) => {
      const [choice, char] = [choices.next().value, String.fromCharCode(byte)];
      if (choice === 0 && char === ' ') return '+';
      if (choice === 0 && /[\w.~!$'()*,;:@/?-]/.test(char)) return char;
      return choice === 1 ? escaped(byte) : escaped(byte).toUpperCase();
    })
    .join('');
}
