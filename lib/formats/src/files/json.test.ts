import { AppError } from '@survey/runtime/errors/app-error';
import { parseJson } from '@survey/runtime/json/parse-json';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { fileOf, type ImportFile } from './import-file.ts';
import { readJson, readJsonItems } from './json.ts';

function inPieces(text: string | Buffer, size: number): ImportFile {
  const bytes = Buffer.from(text as string);
  return {
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

async function rejectionOf(reading: Promise<unknown>): Promise<AppError> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`${error} was thrown`);
  return error;
}

describe('a JSON file', () => {
  it('is read like a whole text, from chunks of any size', async () => {
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
    await fc.assert(
      fc.asyncProperty(json, fc.integer({ min: 1, max: 9 }), async (value, size) => {
        const text = JSON.stringify(value, null, size % 2);
        let expected: unknown;
        try {
          expected = parseJson(text);
        } catch {
          await rejectionOf(readJson(inPieces(text, size)));
          return;
        }
        expect(await readJson(inPieces(text, size))).toEqual(expected);
      }),
    );
  });

  it('is rejected like a whole text', async () => {
    const text = fc.oneof(
      fc
        .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', '-', 'true', 'nul', ' ', '\\'))
        .map((parts) => parts.join('')),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        let expected: unknown;
        try {
          expected = parseJson(given);
        } catch {
          expect((await rejectionOf(readJson(fileOf(given)))).code).toBe('INVALID_IMPORT');
          return;
        }
        expect(await readJson(fileOf(given))).toEqual(expected);
      }),
      { numRuns: inject('testScope') === 'all' ? 1_000 : 200 },
    );
  });

  it.each([
    ['{"a":[1', '/a/0', 'BAD_JSON'],
    ['[1,]', '/1', 'BAD_JSON'],
    ['{"a":1,"a":2}', '/a', 'DUPLICATE_MEMBER'],
    ['[{"__proto__":1}]', '/0/__proto__', 'FORBIDDEN_NAME'],
    ['{"a":{"b":1e300}}', '/a/b', 'NUMBER_OUT_OF_RANGE'],
    ['"\\ud800"', '', 'BAD_JSON'],
    ['['.repeat(70), `${'/0'.repeat(64)}`, 'TOO_DEEP'],
    ['', '', 'BAD_JSON'],
  ])('is rejected with the location: %s', async (text, path, code) => {
    const { errors } = await rejectionOf(readJson(fileOf(text)));
    expect(errors).toMatchObject([{ path, code, detail: expect.stringMatching(/at about character \d+/) }]);
  });

  it.each([
    ['a text in no encoding that is read', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'BAD_ENCODING'],
    ['too large a text', `["${'x'.repeat(34_000_000)}"]`, 'TOO_LARGE'],
  ])('is rejected with %s', async (_, text, code) => {
    const { errors } = await rejectionOf(readJson(inPieces(text as string, 65_536)));
    expect(errors).toMatchObject([{ code }]);
  });

  it('can be UTF-16, and have a byte order mark', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"é":"😀"}', 'utf16le')]);
    expect(await readJson(inPieces(utf16, 3))).toEqual({ é: '😀' });
    expect(await readJson(fileOf('\uFEFF[1]'))).toEqual([1]);
  });
});

describe('the items of a JSON file', () => {
  const text = '{"x":[{"responses":[9]}],"y":{"items":[8]},"responses":{"items":[{"a":[1]},"b",[],null],"n":1}}';
  const itemsAt = (given: string, ...location: string[]) =>
    Array.fromAsync(readJsonItems(inPieces(given, 5), location));

  it('are those of the array at the path', async () => {
    expect(await itemsAt(text, 'responses', 'items')).toEqual([
      { index: 0, path: '/responses/items/0', value: { a: [1] } },
      { index: 1, path: '/responses/items/1', value: 'b' },
      { index: 2, path: '/responses/items/2', value: [] },
      { index: 3, path: '/responses/items/3', value: null },
    ]);
    expect((await itemsAt('[[1],2]')).map(({ value }) => value)).toEqual([[1], 2]);
  });

  it('are empty without an array', async () => {
    for (const location of [['responses'], ['z'], ['responses', 'n'], ['x', 'responses'], []])
      expect(await itemsAt(text, ...location)).toEqual([]);
  });

  it.each([
    ['an invalid value', '[1,2,{"a":tru}]', 'BAD_JSON'],
    ['an early end', '[1,2,{"a"', 'BAD_JSON'],
    ['too large an item', `[1,2,"${'x'.repeat(4_400_000)}"]`, 'TOO_LARGE'],
  ])('come before the error, in a piece of any size: %s', async (_, given, code) => {
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const { value } of readJsonItems(fileOf(given), [])) read.push(value);
    })();
    expect((await rejectionOf(reading)).errors).toMatchObject([{ code }]);
    expect(read).toEqual([1, 2]);
  });

  it('can be omitted from the rest of the file', async () => {
    const named = '{"":{"":{"":{"":[1,2]}}}}';
    expect(await readJson(fileOf(named))).toEqual(JSON.parse(named));
    const rest = await readJson(inPieces(text, 4), { without: ['responses', 'items'] });
    expect(rest).toEqual({ ...JSON.parse(text), responses: { items: [], n: 1 } });
    expect(await readJson(fileOf('[1,{"a":2}]'), { without: [] })).toEqual([]);
  });

  it('can be omitted from a list on the way to them', async () => {
    const without = ['responses', 'data'];
    expect(await readJson(fileOf('{"responses":[{"data":[1]}],"a":[1]}'), { without })).toEqual({
      responses: [],
      a: [1],
    });
    expect(await readJson(fileOf('[{"data":1}]'), { without })).toEqual([{ data: 1 }]);
  });

  it('are invalid at a character, in any encoding', async () => {
    const given = `\ufeff{"a": "${'ä'.repeat(100_000)}", "b": !}`;
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const { errors } = await rejectionOf(readJson(fileOf(Buffer.from(given, encoding))));
      expect(errors).toMatchObject([{ detail: expect.stringMatching(/at about character 10001\d$/) }]);
    }
  });

  it('are streamed up to the invalid position', async () => {
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const { value } of readJsonItems(inPieces('[1,2,{"a":tru}]', 2), [])) found.push(value);
    })();
    expect((await rejectionOf(reading)).errors).toMatchObject([{ path: '/2/a', code: 'BAD_JSON' }]);
    expect(found).toEqual([1, 2]);
  });

  it('can exceed the memory', async () => {
    const item = `{"a":"${'x'.repeat(10_000)}"},`;
    const file = {
      size: 0,
      async *open() {
        yield Buffer.from('[');
        for (let n = 0; n < 5_000; n += 1) yield Buffer.from(item);
        yield Buffer.from('0]');
      },
    };
    let count = 0;
    for await (const _ of readJsonItems(file, [])) count += 1;
    expect(count).toBe(5_001);
    expect(await readJson(file, { without: [] })).toEqual([]);
  });

  it('are rejected if one is too large, or has too many members', async () => {
    const large = `[{"a":"${'x'.repeat(3_000_000)}","b":"${'x'.repeat(3_000_000)}"}]`;
    const reading = Array.fromAsync(readJsonItems(inPieces(large, 65_536), []));
    expect((await rejectionOf(reading)).errors).toMatchObject([{ path: '/0/b', code: 'TOO_LARGE' }]);
    const wide = `{"x":{${Array.from({ length: 200_000 }, (_, n) => `"a${n}":1`).join()}}}`;
    const rejected = rejectionOf(Array.fromAsync(readJsonItems(inPieces(wide, 65_536), [])));
    const detail = 'The value has more than about 100000 members, the limit';
    expect((await rejected).errors).toEqual([{ path: '/x/a100000', code: 'TOO_LARGE', detail }]);
  });

  it('are rejected with too many short values, with the location', async () => {
    const many = `[${'{},'.repeat(600_000)}{}]`;
    const whole = await rejectionOf(readJson(fileOf(`{"survey":{"questions":${many}}}`)));
    expect(whole.errors).toMatchObject([
      { path: expect.stringMatching(/^\/survey\/questions\/5\d{5}/), code: 'TOO_LARGE' },
    ]);
    const item = await rejectionOf(Array.fromAsync(readJsonItems(fileOf(`[1,[${'1,'.repeat(600_000)}1]]`), [])));
    expect(item.errors).toMatchObject([{ code: 'TOO_LARGE' }]);
    expect(item.errors[0]?.path).toMatch(/^\/1\//);
  });

  it('have no limit for skipped content, except for a single text', async () => {
    const around = `{"a":[${'[],'.repeat(600_000)}[]],"b":"${'x'.repeat(5_000_000)}","items":[7]}`;
    const items = await Array.fromAsync(readJsonItems(fileOf(around), ['items']));
    expect(items).toEqual([{ index: 0, path: '/items/0', value: 7 }]);
  });
});
