import type { JsonValue } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefused } from '../../responses/file-response.ts';
import { responsesFromNdjson } from './responses-ndjson.ts';

const definition = compile({
  schema_version: '1.0',
  version: 1,
  survey: { title: 'T', supported_languages: ['en'], pages: [] },
});
const read = (data: JsonValue) => responsesFromNdjson(data, definition, { unmask: undefined });

describe('responses NDJSON', () => {
  it('has a response a line, empty lines aside', () => {
    const { responses, warnings } = read('\uFEFF{"id":"1","data":{"q":1}}\r\n\n{"id":"2","data":{}}\n');
    expect(responses).toMatchObject([
      { index: 0, id: '1', answers: { q: 1 } },
      { index: 1, id: '2', answers: {} },
    ]);
    expect(warnings).toEqual([]);
    expect(read('').responses).toEqual([]);
  });

  it('refuses each bad line for itself, by its number', () => {
    const lines = [
      '{"id":"1","data":{"q":1}}',
      '',
      'null',
      '{"id":"2","data":{}',
      '{"id":"3","id":"4","data":{}}',
      '{"data":{"__proto__":1}}',
      '{"data":{"q":"\\ud800"}}',
      '{"id":"5","status":"in_progress","data":{}}',
      '{"id":"1","data":{}}',
    ];
    const refused = read(lines.join('\n')).responses.filter(isRefused);
    expect(refused.map(({ index, id, code, detail }) => [index, id, code, detail])).toEqual([
      [1, '', 'WRONG_TYPE', 'line 3: The response has to be an object'],
      ...[2, 3, 4, 5].map((index) => [index, '', 'BAD_JSON', `line ${index + 2}: it is no JSON that is taken`]),
      [6, '5', 'BAD_STATUS', 'line 8: status: it is in_progress, and only completed responses are imported'],
      [7, '1', 'DUPLICATE_ID', 'A response before it in the file has the same id'],
    ]);
  });

  it('warns once of each member that is not imported', () => {
    const { warnings } = read('{"data":{},"mood":1}\n{"data":{},"mood":2}');
    expect(warnings).toEqual([{ path: '/responses', code: 'NOT_IMPORTED', detail: 'The member mood is not imported' }]);
  });

  it('refuses what is no text, and more lines than one import takes', () => {
    expect(() => read([])).toThrow('NDJSON has to be a string');
    expect(() => read('{}\n'.repeat(1_001))).toThrow('more than 1000 responses');
  });

  it('refuses any other text without breaking', () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc
        .record({ id: fc.jsonValue({ maxDepth: 1 }), data: fc.jsonValue({ maxDepth: 2 }) })
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        expect(read(lines.join('\n').toWellFormed()).responses).toBeInstanceOf(Array);
      }),
    );
  });
});
