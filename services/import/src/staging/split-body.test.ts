import { positionAfter } from '@survey/runtime/rest/request-body';
import { describe, expect, it } from 'vitest';
import { splitBody } from './split-body.ts';

async function* cut(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(text: string | Buffer, size = 3) {
  const split = splitBody(cut(text, size), 'data');
  const pieces: Uint8Array[] = [];
  for await (const piece of split.file) pieces.push(piece);
  return {
    file: Buffer.concat(pieces).toString(),
    kind: split.kind(),
    rest: Buffer.from(split.rest()).toString(),
  };
}

describe('a body with a file in it', () => {
  it.each([1, 2, 3, 5, 7, 1000])('is split, in chunks of %i bytes', async (size) => {
    const data = { survey: { data: '{"}]', 'a"b': ['\\', '"', {}] }, responses: [[], { x: 'é😀' }] };
    const text = JSON.stringify({ format: 'json', data, options: { data: [1] } });
    const parts = await split(text, size);
    expect(parts).toEqual({
      file: JSON.stringify(data),
      kind: 'json',
      rest: '{"format":"json","data":true,"options":{"data":[1]}}',
    });
  });

  it.each([1, 2, 3, 5, 7, 1000])('decodes a file that is a string, in chunks of %i bytes', async (size) => {
    const data = 'a,"b\\"\r\n\u0000é😀\u{1F600}\t\\u0041/';
    const escaped = JSON.stringify(data).replace('😀', '\\ud83d\\ude00').replace('/', '\\/');
    const parts = await split(`{"data" : ${escaped} , "format":"csv"}`, size);
    expect(parts).toEqual({ file: data, kind: 'text', rest: '{"data" : true , "format":"csv"}' });
  });

  it('recognises the member also by an escaped name', async () => {
    expect(await split('{"d\\u0061ta":[1],"x":"data"}')).toMatchObject({ file: '[1]', kind: 'json' });
    expect(await split('{"x":{"data":[1]},"y":"data","z":["data"]}')).toMatchObject({ file: '', kind: 'none' });
  });

  it.each(['{"data":null}', '{"data":5,"x":[1]}', '{"data":null,"x":"y"}', '{}', '', '[1]', '"data"'])(
    'leaves %s as it is',
    async (text) => {
      expect(await split(text)).toEqual({ file: '', kind: 'none', rest: text });
    },
  );

  it('keeps duplicate members, so that a strict parser can reject them', async () => {
    expect((await split('{"data":[1],"data":"x"}')).rest).toBe('{"data":true,"data":true}');
  });

  it.each([
    ['{"data":1[2]}', '{"data":1true}'],
    ['{"data":[2]1}', '{"data":true1}'],
    ['{"data":"x"[2]}', '{"data":true[2]}'],
  ])('keeps %s invalid', async (text, rest) => {
    expect((await split(text)).rest).toBe(rest);
  });

  it.each(['{"data":[1', '{"data":"a', '{"data":{"a":"}"'])('rejects %s, which ends within the file', async (text) => {
    await expect(split(text)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.each([
    ['{"data":"a\nb"}', 'line 1, column 11'],
    ['{\n"data":"\\x"}', 'line 2, column 9'],
    ['{"é😀":1,\r\n\n"data":"é\\ud83d"}', 'line 3, column 10'],
    ['{"data":"\\ud83d\\ud83d\\ude00"}', 'line 1, column 10'],
    ['{"data":"\\u12"}', 'line 1, column 10'],
  ])('rejects the invalid string %j with its position', async (text, position) => {
    const message = `The body is not JSON: ${position}`;
    await expect(split(text, 1_000)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message });
    await expect(split(text, 1)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.each([1, 5, 1_000])('finds the position of other members in the body, in chunks of %i bytes', async (size) => {
    for (const file of ['[\n1,\n"é😀"]', '"a\\nb😀"']) {
      const [before, after] = ['{ "x": "é",\n "data":', ',\n\n  "format" "csv"}'];
      const body = splitBody(cut(before + file + after, size), 'data');
      for await (const _ of body.file);
      const rest = body.rest().toString();
      for (const mark of ['"x"', '"format"', '"csv"']) {
        const position = positionAfter((before + file + after).split(mark)[0] ?? '');
        expect(body.toPosition(rest.slice(0, rest.indexOf(mark)))).toEqual(position);
      }
    }
  });

  it('rejects a string that is not UTF-8', async () => {
    const text = Buffer.concat([Buffer.from('{"data":"'), Buffer.from([0xff, 0x41]), Buffer.from('"}')]);
    await expect(split(text)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('rejects too many bytes besides the file', async () => {
    const text = JSON.stringify({ data: [], other: 'x'.repeat(1_100_000) });
    await expect(split(text, 65_536)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
  });
});
