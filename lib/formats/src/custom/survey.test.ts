import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { readSurveyToEnd } from '../testing/read-to-end.ts';
import { readCustomJsonSurvey } from './survey.ts';

const question = (id: string) => ({ id, type: 'text', title: 'Why?' });
const read = (data: JsonValue, options: { readonly title?: string; readonly language?: string } = {}) =>
  readSurveyToEnd(readCustomJsonSurvey, JSON.stringify(data), options);
const surveyOf = async (...given: Parameters<typeof read>) => {
  // The reader makes an object of it.
  return (await read(...given)).payload['survey'] as JsonObject;
};
const inSettings = (name: string) => `/settings/${name}`;
const thrownBy = async (data: JsonValue): Promise<AppError> => {
  try {
    await read(data);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('custom JSON', () => {
  it('makes one page of a list of questions, with defaults', async () => {
    const { payload } = await read({ survey: { title: 'T', questions: [question('a'), question('b')] } });
    expect(payload).toEqual({
      schema_version: '1.0',
      version: 1,
      survey: { title: 'T', supported_languages: ['en'], pages: [{ questions: [question('a'), question('b')] }] },
    });
    expect(checkShape(payload)).toEqual([]);
    expect(compile(payload).lint.errors).toEqual([]);
  });

  it('keeps all other members of a definition', async () => {
    const survey = {
      title: { en: 'T', de: 'T' },
      supported_languages: ['en', 'de'],
      pages: [{ id: 'p', questions: [{ ...question('a'), own: { x: [1, null] } }] }],
      logic: [],
      sections: [{ id: 's', title: 'S', question_ids: ['a'] }],
      welcome_screen: { title: 'Hi' },
      own: true,
    };
    const { payload, warnings } = await read({
      $schema: 'https://x.example',
      schema_version: '2.1',
      version: 7,
      survey,
    });
    expect(payload).toEqual({ schema_version: '2.1', version: 7, survey });
    expect(warnings).toEqual([]);
  });

  it('reads schema_version and version from the survey if the payload has none', async () => {
    const survey = { schema_version: '2.1', version: 7, title: 'T', supported_languages: ['en'], pages: [] };
    const members = { title: 'T', supported_languages: ['en'], pages: [] };
    expect((await read({ survey })).payload).toEqual({ schema_version: '2.1', version: 7, survey: members });
    const { payload } = await read({ version: 8, survey });
    expect(payload).toEqual({ schema_version: '2.1', version: 8, survey: { ...members, version: 7 } });
  });

  it('uses title and language of the options only if the file has none', async () => {
    const given = { title: 'Option', language: 'de' };
    expect(await surveyOf({ survey: { questions: [] } }, given)).toMatchObject({
      title: 'Option',
      supported_languages: ['de'],
    });
    const survey = { title: 'File', supported_languages: ['fr'], questions: [] };
    expect(await surveyOf({ survey }, given)).toMatchObject({ title: 'File', supported_languages: ['fr'] });
  });

  it('makes a page for each section, and for the questions between sections', async () => {
    const survey = {
      title: 'T',
      questions: ['a', 'b', 'c', 'd', 'e'].map(question),
      sections: [
        { id: 's1', title: 'One', question_ids: ['b', 'e'] },
        { id: 's2', title: 'Two', questions: ['d'] },
      ],
    };
    const file = await read({ survey });
    expect((file.payload['survey'] as JsonObject)['pages']).toEqual([
      { questions: [question('a')] },
      { title: 'One', questions: [question('b'), question('e')] },
      { questions: [question('c')] },
      { title: 'Two', questions: [question('d')] },
    ]);
    const problem = { code: 'X', detail: 'x' };
    expect(file.toFileProblem({ ...problem, path: '/survey/pages/1/questions/1/options/0' }).path).toBe(
      '/survey/questions/4/options/0',
    );
    expect(file.toFileProblem({ ...problem, path: '/survey/logic/0' }).path).toBe('/survey/logic/0');
  });

  it.each([
    ['/survey/pages', '/survey/questions'],
    ['/survey/pages/1', '/survey/questions'],
    ['/survey/pages/1/title', '/survey/sections/2/title'],
    ['/survey/pages/0/title', '/survey/questions'],
    ['/survey/pages_info', '/survey/pages_info'],
    ['/schema_version', '/survey/schema_version'],
    ['/version', '/version'],
  ])('reports a problem at %s of the payload at %s', async (path, inFile) => {
    const sections = [null, { question_ids: ['z'] }, { title: 1, question_ids: ['b'] }];
    const survey = { schema_version: 1, questions: ['a', 'b'].map(question), sections, pages_info: 1 };
    const { toFileProblem } = await read({ version: 'x', survey });
    expect(toFileProblem({ code: 'X', detail: 'x', path }).path).toBe(inFile);
  });

  it('keeps unknown members in source_data, with warnings', async () => {
    const survey = { title: 'T', pages: [], questions: [question('a')], source_data: { a: 1 } };
    const { payload, warnings } = await read({ survey, theme: { a: 2 }, 'x/y': 1 });
    expect(payload['survey']).toEqual({
      title: 'T',
      supported_languages: ['en'],
      pages: [],
      questions: [question('a')],
      source_data: { a: 1, theme: { a: 2 }, 'x/y': 1 },
    });
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ['/theme', 'KEPT_AS_SOURCE_DATA'],
      ['/x~1y', 'KEPT_AS_SOURCE_DATA'],
    ]);
  });

  it('does not overwrite existing source_data', async () => {
    const survey = { title: 'T', pages: [], source_data: { theme: 1 } };
    expect(await surveyOf({ survey, theme: 2 })).toHaveProperty('source_data', { theme: 2, survey: { theme: 1 } });
    const empty = { title: 'T', pages: [], source_data: null };
    expect(await surveyOf({ survey: empty, theme: 2 })).toHaveProperty('source_data', { theme: 2 });
  });

  it('accepts a creation payload unchanged, with its settings', async () => {
    const survey = { title: 'T', supported_languages: ['de'], pages: [], source_data: { a: 1 }, theme: null };
    const data = { schema_version: '2.1', version: 7, survey, settings: { access: 'links_only' } };
    const { payload, warnings, toFileProblem } = await read(data);
    expect([payload, warnings]).toEqual([data, []]);
    expect(toFileProblem({ path: '/settings/access', code: 'X', detail: 'x' }).path).toBe('/settings/access');
  });

  it('reads settings by name and type, and keeps all others in source_data', async () => {
    const ours = { access: 'nobody', response_limit: 0, languages: ['xx'], opens_at: '2030-01-01T00:00:00Z' };
    const others = { theme: 'x', retention_days: '30', closes_at: 'tomorrow', constructor: 1, 'a/b': null };
    const survey = { title: 'T', pages: [] };
    const { payload, warnings } = await read({ survey, settings: { ...ours, ...others }, theme: 1 });
    expect(payload['settings']).toEqual(ours);
    expect(payload['survey']).toMatchObject({ source_data: { theme: 1, settings: others } });
    const paths = ['/theme', ...['theme', 'retention_days', 'closes_at', 'constructor', 'a~1b'].map(inSettings)];
    expect(warnings.map(({ path, code }) => [path, code])).toEqual(paths.map((path) => [path, 'KEPT_AS_SOURCE_DATA']));
  });

  it.each<[JsonValue]>([['dark'], [1], [false], [[{ access: 'open' }]]])(
    'keeps settings that are %j',
    async (settings) => {
      const { payload, warnings } = await read({ survey: { title: 'T', pages: [] }, settings });
      expect(payload).not.toHaveProperty('settings');
      expect(payload['survey']).toMatchObject({ source_data: { settings } });
      expect(warnings.map(({ path }) => path)).toEqual(['/settings']);
    },
  );

  it.each<[JsonValue, string]>([
    [null, ''],
    ['x', ''],
    [[], ''],
    [{}, '/survey'],
    [{ survey: [] }, '/survey'],
    [{ survey: { title: 'T' } }, '/survey'],
    [{ survey: { title: 'T', questions: {} } }, '/survey'],
    [{ survey: { title: 'T', questions: [] }, responses: 'x' }, '/responses'],
  ])('rejects %j', async (data, path) => {
    const { code, errors } = await thrownBy(data);
    expect([code, errors.map((error) => error.path)]).toEqual(['INVALID_IMPORT', [path]]);
  });

  it('reports whether the file has responses', async () => {
    const has = async (responses: JsonValue) => {
      const data = JSON.stringify({ survey: { title: 'T', questions: [] }, responses });
      const { responses: found } = await readCustomJsonSurvey(fileOf(data), {
        title: '',
        language: 'en',
        table: DETECT_ALL,
        warn: () => {},
      });
      return found !== undefined;
    };
    expect([await has([{}]), await has([]), await has(null)]).toEqual([true, true, false]);
  });

  it('reads responses, and rejects each invalid one by itself', async () => {
    const noTimes = { startedAt: undefined, completedAt: undefined };
    const details = { ...noTimes, externalId: undefined, language: undefined, metadata: undefined };
    const submitted = new Date('2026-01-02T02:04:05Z');
    const answers = [{ question_id: 'a', value: ['x'] }];
    const twice = [...answers, ...answers];
    const responses = [
      { id: 'r1', submitted_at: '2026-01-02T03:04:05+01:00', answers },
      { id: 7, answers: [] },
      { answers },
      { id: 'r1', answers },
      { id: 'r2', submitted_at: 'yesterday', answers },
      { id: 'r3', answers: twice },
      { id: 'r4', answers: { a: 'x' } },
      { id: 'r5', answers: [{ value: 1 }] },
      { id: {}, answers },
      'x',
      { id: 'i'.repeat(257), answers },
    ];
    const file = await read({ survey: { title: 'T', questions: [] }, responses });
    expect(file.responses.filter((response) => !isRejected(response))).toEqual([
      { index: 0, id: 'r1', ...details, startedAt: submitted, completedAt: submitted, answers: { a: ['x'] } },
      { index: 1, id: '7', ...details, answers: {} },
      { index: 2, id: '', ...details, answers: { a: ['x'] } },
      expect.objectContaining({ index: 4, unread: [expect.objectContaining({ code: 'BAD_TIME' })] }),
    ]);
    expect(file.responses.filter(isRejected).map(({ index, code }) => [index, code])).toEqual([
      [3, 'DUPLICATE_ID'],
      [5, 'BAD_ANSWERS'],
      [6, 'BAD_ANSWERS'],
      [7, 'BAD_ANSWERS'],
      [8, 'BAD_ID'],
      [9, 'WRONG_TYPE'],
      [10, 'BAD_ID'],
    ]);
  });

  it('warns once about each unknown member of responses', async () => {
    const responses = [
      { id: '1', answers: [{ question_id: 'a', value: 1, note: 'x' }] },
      { id: '2', mood: 'good', answers: [] },
      { id: '3', mood: 'good', answers: [] },
    ];
    const { warnings } = await read({ survey: { title: 'T', questions: [] }, responses });
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ['/responses/0/answers/0', 'NOT_IMPORTED'],
      ['/responses/1', 'NOT_IMPORTED'],
    ]);
  });

  it('rejects any other JSON without other errors', async () => {
    const member = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined });
    const json = fc.jsonValue({ maxDepth: 3 });
    const survey = fc.record({
      title: json,
      questions: member(fc.oneof(json, fc.array(fc.record({ id: json, type: json })))),
      pages: member(json),
      sections: member(fc.oneof(json, fc.array(fc.record({ question_ids: json, title: json })))),
      source_data: member(json),
    });
    const response = fc.record({
      id: json,
      submitted_at: json,
      answers: fc.oneof(json, fc.array(fc.record({ question_id: json }))),
    });
    const data = fc.oneof(json, fc.record({ survey, responses: member(fc.array(response)), own: member(json) }));
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        // Remove values that JSON does not have.
        const given: JsonValue = JSON.parse(JSON.stringify(value));
        try {
          const file = await read(given);
          for (const problem of checkShape(file.payload)) expect(file.toFileProblem(problem).path).toMatch(/^(\/|$)/);
          compile(file.payload);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_IMPORT' });
        }
      }),
    );
  });
});
