import { compile } from '@survey/questionnaire/compile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRejected } from '../core/responses/response.ts';
import { readResponsesToEnd } from '../testing/read-to-end.ts';
import { readCustomNdjsonResponses } from './responses.ts';

const definition = compile({
  schema_version: '1.0',
  version: 1,
  survey: { title: 'T', supported_languages: ['en'], pages: [] },
});
const read = (text: string) => readResponsesToEnd(readCustomNdjsonResponses, text, { payload: {}, definition });

describe('responses NDJSON', () => {
  it('has a response on each line that is not empty', async () => {
    const { responses, warnings } = await read('\uFEFF{"id":"1","data":{"q":1}}\r\n\n{"id":"2","data":{}}\n');
    expect(responses).toMatchObject([
      { index: 0, id: '1', answers: { q: 1 } },
      { index: 1, id: '2', answers: {} },
    ]);
    expect(warnings).toEqual([]);
    expect((await read('')).responses).toEqual([]);
  });

  it('rejects each invalid line by itself, with its number', async () => {
    const lines = [
      '{"id":"1","data":{"q":1}}',
      '',
      'null',
      '{"id":"2","data":{}',
      '{"id":"3","id":"4","data":{}}',
      '{"data":{"__proto__":1}}',
      '{"data":{"q":"\\ud800"}}',
      '{"data":{"q":12345678901234567890}}',
      '{"id":"5","status":"done","data":{}}',
      '{"id":"1","data":{}}',
    ];
    const rejected = (await read(lines.join('\n'))).responses.filter(isRejected);
    expect(rejected.map(({ row }) => row)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rejected.map(({ index, id, code, detail }) => [index, id, code, detail])).toEqual([
      [1, '', 'WRONG_TYPE', 'line 3: The response must be an object'],
      [2, '', 'BAD_JSON', 'line 4: the line is not valid JSON, from column 20 on'],
      [3, '', 'DUPLICATE_MEMBER', 'line 5: there are two members of this name'],
      [4, '', 'FORBIDDEN_NAME', 'line 6: this name is not allowed'],
      [5, '', 'BAD_JSON', 'line 7: the line is not valid JSON, from column 15 on'],
      [6, '', 'NUMBER_OUT_OF_RANGE', expect.stringMatching(/^line 8: the number is beyond/)],
      [7, '5', 'BAD_STATUS', expect.stringMatching(/^line 9: status: the status must be/)],
      [8, '1', 'DUPLICATE_ID', 'An earlier response in the file has the same id'],
    ]);
  });

  it('warns once about each unknown member', async () => {
    const { warnings } = await read('{"data":{},"mood":1}\n{"data":{},"mood":2}');
    expect(warnings).toEqual([{ path: '', code: 'NOT_IMPORTED', detail: 'The member mood is not imported' }]);
  });

  it('rejects a too long line by itself', async () => {
    const { responses } = await read(`{"id":"1","data":{}}\n{"x":"${'y'.repeat(3_000_000)}"}\n{"id":"2","data":{}}`);
    expect(responses).toMatchObject([
      { id: '1' },
      { index: 1, code: 'TOO_LARGE', detail: 'line 2: the line is too long for a response' },
      { id: '2' },
    ]);
  });

  it('rejects any other text without other errors', async () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc
        .record({ id: fc.jsonValue({ maxDepth: 1 }), data: fc.jsonValue({ maxDepth: 2 }) })
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
        expect((await read(lines.join('\n').toWellFormed())).responses).toBeInstanceOf(Array);
      }),
    );
  });
});
