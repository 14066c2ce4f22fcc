import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, createTenant } from '../support/platform.ts';

const options = ['a', 'b'].map((id) => ({ id, text: { en: id === 'a' ? "'=A" : 'a', de: `${id} de` } }));

/** A question of each type, with ids like response columns and formulas, and a metadata field of each type. */
const payload = {
  schema_version: '1.0',
  version: 3,
  settings: {
    metadata_fields: ['string', 'number', 'boolean', 'date'].map((type) => ({
      name: `a_${type}`,
      type,
      from: ['api'],
    })),
  },
  survey: {
    title: 'Everything',
    supported_languages: ['en', 'de'],
    pages: [
      {
        questions: [
          { id: '-1', type: 'text', title: 'Text?' },
          { id: 'status', type: 'textarea', title: 'Status?' },
          { id: 'language', type: 'single_choice', title: 'One?', options, allow_other: true },
          { id: 'many', type: 'multiple_choice', title: 'Many?', options, allow_other: true },
          { id: 'stars', type: 'rating', title: 'Stars?', min: -5, max: 5, step: 0.5 },
          { id: 'mood', type: 'likert', title: 'Mood?', options },
          { id: 'moods', type: 'likert', title: 'Moods?', options, rows: ['x', 'y'], required_rows: 1 },
          { id: 'grid', type: 'matrix', title: 'Grid?', rows: ['x', 'y'], columns: options, required_rows: 1 },
          { id: 'flags', type: 'matrix', title: 'Flags?', rows: ['x', 'y'], columns: options, multiple: true },
          { id: 'day', type: 'date', title: 'Day?' },
          { id: 'hour', type: 'time', title: 'Hour?' },
        ],
      },
    ],
    logic: [
      {
        question_id: 'day',
        action: 'disqualify',
        conditions: [{ source_question: 'stars', operator: 'equals', value: -5 }],
      },
    ],
  },
};

const answers: readonly object[] = [
  {
    '-1': '=cmd|calc',
    status: '\'=1+1\r\n"quoted", \ttabbed',
    language: 'a',
    many: ['a', 'b'],
    stars: -1.5,
    mood: 'b',
    moods: { x: 'a', y: 'b' },
    grid: { y: 'a' },
    flags: { x: ['a', 'b'], y: ['b'] },
    day: '2024-02-29',
    hour: '09:30',
  },
  { '-1': "'", status: "''=", language: { option: 'other', text: '@mine' }, many: { options: ['b'], other: '+1' } },
  { '-1': ' padded ', status: '\n', stars: 0 },
  { stars: -5 },
  {},
];

let api: Api;
let stranger: Api;
let surveyId: string;
let stored: readonly Row[];

type Row = Readonly<Record<string, unknown>>;

async function makeSurvey(of: Api): Promise<string> {
  const { status, body } = await of('POST', '/v1/surveys', { body: payload });
  expect([status, body.errors]).toEqual([201, undefined]);
  expect((await of('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
  return body.id;
}

async function exportOf(of: Api, id: string, format: string, query = '') {
  const { status, body } = await of('GET', `/v1/surveys/${id}/responses/export?format=${format}${query}`);
  expect(status).toBe(200);
  return body;
}

const importInto = (of: Api, id: string, body: object, headers: Record<string, string> = {}) =>
  of('POST', `/v1/surveys/${id}/responses/import`, { body, headers });

/** The members that every import keeps, by the original id. */
function comparable(rows: readonly Row[], named: 'id' | 'external_id') {
  return Object.fromEntries(
    rows.map((row) => {
      const { data, status, started_at, completed_at, language, metadata } = row;
      return [row[named], { data, status, started_at, completed_at, language, metadata }];
    }),
  );
}

beforeAll(async () => {
  [api, stranger] = [(await createTenant()).api, (await createTenant()).api];
  surveyId = await makeSurvey(api);
  for (const [index, data] of answers.entries()) {
    const body = {
      data,
      metadata: {
        ...{ index, '=1': ["'"] },
        ...{ a_string: "'=x", a_number: -index / 2, a_boolean: index === 0, a_date: '2024-02-29' },
      },
      ...(index % 2 === 0 ? { language: 'de', started_at: '2026-01-02T03:04:05.678Z' } : {}),
    };
    const { status, body: submitted } = await api('POST', `/v1/surveys/${surveyId}/responses`, { body });
    expect([status, submitted.errors]).toEqual([201, undefined]);
  }
  const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: {} });
  const linked = { status: 'completed', data: { mood: 'a' } };
  expect((await api('POST', `/v1/public/links/${link.slug}/responses`, { body: linked })).status).toBe(201);
  const begun = { status: 'in_progress', data: { stars: 3 } };
  expect((await api('POST', `/v1/public/surveys/${surveyId}/responses`, { body: begun })).status).toBe(201);
  const all: readonly Row[] = await exportOf(api, surveyId, 'json');
  stored = all;
  expect(stored).toHaveLength(answers.length + 2);
  const statuses = stored.map(({ status }) => status);
  expect(statuses).toEqual(expect.arrayContaining(['disqualified', 'in_progress']));
});

describe.each(['csv', 'ndjson', 'json'])('responses exported as %s', (format) => {
  it.each(['another survey', 'a survey of another tenant'])('are unchanged in %s', async (where) => {
    const of = where === 'another survey' ? api : stranger;
    const target = await makeSurvey(of);
    const file = await exportOf(api, surveyId, format);
    const { status, body } = await importInto(of, target, { format, responses: file });
    expect([status, body.warnings]).toEqual([200, []]);
    expect(body).toMatchObject({ total: stored.length, imported: stored.length, imported_in_part: 0, failed: 0 });
    const arrived: readonly Row[] = await exportOf(of, target, 'json');
    expect(comparable(arrived, 'external_id')).toEqual(comparable(stored, 'id'));
    const again = await importInto(of, target, { format, responses: file });
    expect(again.body).toMatchObject({ imported: 0, skipped: stored.length, failed: 0 });
    // A second export and import keeps the original id.
    const next = await makeSurvey(of);
    const second = await importInto(of, next, { format, responses: await exportOf(of, target, format) });
    expect(second.body).toMatchObject({ imported: stored.length, failed: 0, warnings: [] });
    expect(comparable(await exportOf(of, next, 'json'), 'external_id')).toEqual(comparable(stored, 'id'));
  });
});

describe('an export of responses', () => {
  it('can be imported into an imported survey', async () => {
    const survey = await exportSurvey();
    const responses = await exportOf(api, surveyId, 'json', '&status=completed');
    const data = { ...survey, responses };
    const { status, body } = await stranger('POST', '/v1/surveys/import', {
      body: { source: 'custom', format: 'json', data },
    });
    expect([status, body.import.warnings]).toEqual([201, []]);
    expect(body.import).toMatchObject({ total: responses.length, imported: responses.length, failed: 0 });
    expect(comparable(await exportOf(stranger, body.id, 'json'), 'external_id')).toEqual(comparable(responses, 'id'));
  });

  it('with texts instead of ids is rejected by column, because a text is the id of another option', async () => {
    const responses = await exportOf(api, surveyId, 'csv', '&labels=texts');
    const { status, body } = await importInto(api, await makeSurvey(api), { format: 'csv', responses });
    expect([status, body.code]).toEqual([422, 'INVALID_IMPORT']);
    expect(body.errors[0].detail).toContain('column Many? [a]');
  });

  it('with texts instead of ids has headings that find their questions', async () => {
    const text = (id: string, title: string) => ({ id, type: 'text', title });
    const items = [1, 2].map((number) => ({ id: `i${number}`, text: 'Same' }));
    const questions = [
      text('first', 'Name'),
      text('second', 'Name'),
      text('third', 'status'),
      { id: 'many', type: 'multiple_choice', title: 'Fruit', options: items },
      { id: 'grid', type: 'matrix', title: 'Grid', rows: items, columns: ['x', 'y'] },
      text('fruit', 'Fruit'),
    ];
    const survey = { title: 'Same titles', supported_languages: ['en'], pages: [{ questions }] };
    const make = async () => {
      const { body } = await api('POST', '/v1/surveys', { body: { schema_version: '1.0', version: 1, survey } });
      expect((await api('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
      return body.id;
    };
    const source = await make();
    const data = { first: '1', second: '2', third: '3', many: ['i2'], grid: { i1: 'x', i2: 'y' }, fruit: '4' };
    expect((await api('POST', `/v1/surveys/${source}/responses`, { body: { data } })).status).toBe(201);
    const responses: string = await exportOf(api, source, 'csv', '&labels=texts');
    const [header = ''] = responses.split('\r\n');
    expect(new Set(header.split(',')).size).toBe(header.split(',').length);
    const target = await make();
    const { body } = await importInto(api, target, { format: 'csv', responses });
    expect(body).toMatchObject({ imported: 1, failed: 0, warnings: [] });
    expect(await exportOf(api, target, 'json')).toMatchObject([{ data }]);
  });

  it('is unchanged without masked formulas, if the import does not unmask', async () => {
    const target = await makeSurvey(api);
    const responses = await exportOf(api, surveyId, 'csv', '&mask_formulas=false');
    expect(responses).toContain(',=cmd|calc,');
    const path = `/v1/surveys/${target}/responses/import`;
    const { status, body } = await api('POST', path, { body: { format: 'csv', responses, unmask: false } });
    expect([status, body.imported]).toEqual([200, stored.length]);
    expect(comparable(await exportOf(api, target, 'json'), 'external_id')).toEqual(comparable(stored, 'id'));
  });

  it('can be larger than a mebibyte', async () => {
    const [source, target] = [await makeSurvey(api), await makeSurvey(api)];
    const many = Array.from({ length: 200 }, (_, index) => ({ data: { status: `${index} ${'=ü'.repeat(4_000)}` } }));
    const patiently = { prefer: 'wait=25' };
    const made = await importInto(api, source, { format: 'json', responses: many }, patiently);
    expect(made.body).toMatchObject({ status: 'completed', imported: 200, failed: 0 });
    const responses: string = await exportOf(api, source, 'csv');
    expect(Buffer.byteLength(responses)).toBeGreaterThan(2 * 1024 * 1024);
    const { body } = await importInto(api, target, { format: 'csv', responses }, patiently);
    expect(body).toMatchObject({ status: 'completed', imported: 200, failed: 0, warnings: [] });
    const [before, after] = [await exportOf(api, source, 'json'), await exportOf(api, target, 'json')];
    expect(comparable(after, 'external_id')).toEqual(comparable(before, 'id'));
  });

  it('is imported once with an idempotency key, even without ids of responses', async () => {
    const target = await makeSurvey(api);
    const responses = stored.map(({ data, completed_at }) => ({ data, completed_at }));
    const send = () => importInto(api, target, { format: 'json', responses }, { 'idempotency-key': 'once' });
    const first = await send();
    const again = await send();
    expect([first.body.imported, again.headers.get('idempotency-replayed')]).toEqual([stored.length, 'true']);
    expect(again.body).toEqual(first.body);
    expect((await api('GET', `/v1/surveys/${target}/responses/count`)).body).toEqual({ count: stored.length });
  });

  async function exportSurvey() {
    const { status, body } = await api('GET', `/v1/surveys/${surveyId}/export?format=json`);
    expect(status).toBe(200);
    return body;
  }
});
