import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant, tokenFor } from '../support/platform.ts';

let api: Api;
let stranger: Api;

beforeAll(async () => {
  [api, stranger] = [(await createTenant()).api, (await createTenant()).api];
});

const yesNo = [
  { id: 'y', text: { en: 'Yes', de: 'Ja' } },
  { id: 'n', text: { en: 'No | never', de: 'Nein' }, exclusive: true },
];

/** A definition with all features, formulas, and unknown words in metadata. */
const rich = {
  schema_version: '1.0',
  version: 7,
  settings: { opens_at: '2030-01-02T03:04:05.000Z', response_limit: 9, access: 'links_only', languages: ['de'] },
  survey: {
    title: { en: '=cmd|calc', de: '@Mittag' },
    description: 'é \u0000 e\u0301',
    supported_languages: ['en', 'de'],
    pages: [
      {
        id: 'p1',
        title: 'One',
        questions: [
          { id: '-1', type: 'single_choice', title: '+1, "really"?', required: true, options: yesNo },
          { id: 'q2', type: 'rating', title: "'=kept", min: -2, max: 2, labels: { 2: 'good' } },
        ],
      },
      {
        questions: [
          {
            id: 'q3',
            type: 'multiple_choice',
            title: 'Which?\r\nof these',
            options: ['a|b', 'c\\', '1-5'],
            allow_other: true,
          },
          { id: 'q4', type: 'textarea', title: '\t=1' },
        ],
      },
    ],
    logic: [
      { question_id: 'q2', conditions: [{ source_question: '-1', operator: 'equals', value: 'n', action: 'show' }] },
      {
        question_id: 'q3',
        action: 'hide',
        match: 'any',
        conditions: [{ question_id: 'q2', operator: 'less_than', value: 0 }],
      },
      { question_id: 'q4', conditions: [{ question_id: 'q3', operator: 'in', value: ['a|b', 'c\\'] }] },
    ],
    sections: [{ id: 's', title: 'S', question_ids: ['q2'] }],
    welcome_screen: { title: 'Hi', metadata: { image: [null, { $ref: 1.5 }] } },
    metadata: { questions: ['of nobody'] },
    source_data: { questions: [1] },
  },
};

const draft = {
  ...lunchSurvey,
  survey: { ...lunchSurvey.survey, pages: [{ questions: [{ id: 'q', type: 'likert', title: 'T', options: [] }] }] },
};

describe.each([
  ['everything', rich],
  ['the usual', lunchSurvey],
  ['a draft with errors', draft],
])('a survey with %s', (_, payload) => {
  async function exportOf(of: Api, surveyId: string, format: string) {
    const { status, body, headers } = await of('GET', `/v1/surveys/${surveyId}/export?format=${format}`);
    expect(status).toBe(200);
    return { body, omitted: headers.get('export-omitted') };
  }

  async function importInto(of: Api, format: string, data: unknown) {
    const options = { validate_logic: false };
    const { status, body } = await of('POST', '/v1/surveys/import', {
      body: { source: 'custom', format, data, options },
    });
    expect([status, body.errors]).toEqual([201, undefined]);
    return body;
  }

  it('is unchanged after an export and import as JSON, even in another tenant', async () => {
    const { body: made } = await api('POST', '/v1/surveys', { body: payload });
    const { body: file, omitted } = await exportOf(api, made.id, 'json');
    expect(omitted).toBeNull();
    const { definition, schema_version, version, settings, id } = await importInto(stranger, 'json', file);
    expect({ definition, schema_version, version, settings }).toEqual({
      definition: payload.survey,
      schema_version: payload.schema_version,
      version: payload.version,
      settings: made.settings,
    });
    expect((await exportOf(stranger, id, 'json')).body).toEqual(file);
  });

  it('has everything in the file after an export and import as CSV', async () => {
    const { body: made } = await api('POST', '/v1/surveys', { body: payload });
    const { body: file, omitted } = await exportOf(api, made.id, 'csv');
    expect(omitted?.split(', ')).toContain('title');
    const { id } = await importInto(api, 'csv', file);
    expect(await exportOf(api, id, 'csv')).toEqual({ body: file, omitted: 'title' });
  });
});

describe('an export of responses', () => {
  const survey = {
    title: 'Lunch',
    supported_languages: ['en', 'de'],
    pages: [
      {
        questions: [
          { id: 'eats', type: 'single_choice', title: { en: 'Eats?', de: 'Isst?' }, options: yesNo, required: true },
          { id: 'tastes', type: 'multiple_choice', title: 'Tastes?', options: yesNo },
          { id: 'day', type: 'date', title: 'Day?' },
          { id: 'stars', type: 'rating', title: 'Stars?' },
          { id: 'words', type: 'textarea', title: '=Words?' },
        ],
      },
    ],
    logic: [
      {
        question_id: 'tastes',
        action: 'show',
        conditions: [{ source_question: 'eats', operator: 'equals', value: 'y' }],
      },
    ],
  };
  const answers = [
    { eats: 'y', day: '2026-11-26', stars: 4, words: '=1+1' },
    { eats: 'y', tastes: ['y'] },
    { eats: 'n' },
  ];
  const COUNT = 'x-total-count';
  let surveyId: string;
  let token: string;

  beforeAll(async () => {
    const tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
    const { body } = await tenant.api('POST', '/v1/surveys', { body: { schema_version: '1.0', version: 1, survey } });
    surveyId = body.id;
    expect((await tenant.api('POST', `/v1/surveys/${surveyId}/publish`)).status).toBe(200);
    for (const data of answers)
      expect((await tenant.api('POST', `/v1/surveys/${surveyId}/responses`, { body: { data } })).status).toBe(201);
  });

  async function download(path: string): Promise<Response> {
    const url = `${inject('stack').gateway}/v1/surveys/${surveyId}/responses/${path}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    return response;
  }

  it('is a workbook with typed cells and the codebook', async () => {
    const response = await download('export?format=xlsx&not_shown=-99&display_language=de');
    expect(response.headers.get(COUNT)).toBe('3');
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    const [responses, codebook] = sheets;
    expect(sheets.map(({ name }) => name)).toEqual(['Responses', 'Codebook']);
    expect(responses?.rows.map((row) => row.slice(10, 16))).toEqual([
      ['eats', 'tastes[y]', 'tastes[n]', 'day', 'stars', 'words'],
      ['y', null, null, new Date('2026-11-26T00:00:00.000Z'), 4, '=1+1'],
      ['y', 1, null, null, null, null],
      ['n', -99, -99, null, null, null],
    ]);
    expect(codebook?.rows.slice(0, 3)).toEqual([
      [
        'column',
        'question_id',
        'title',
        'type',
        'row_id',
        'row_text',
        'option_id',
        'option_text',
        'required',
        'page',
        'versions',
      ],
      ['eats', 'eats', 'Isst?', 'single_choice', null, null, 'y', 'Ja', 'true', 1, '1'],
      ['eats', 'eats', 'Isst?', 'single_choice', null, null, 'n', 'Nein', 'true', 1, '1'],
    ]);
  });

  it('is a table with texts in a language, and a mark for questions that were not shown', async () => {
    const response = await download('export?labels=texts&display_language=de&not_shown=never&mask_formulas=false');
    expect(response.headers.get(COUNT)).toBe('3');
    const rows = (await response.text()).trim().split('\r\n');
    expect(rows.map((row) => row.split(',').slice(10, -1).join())).toEqual([
      'Isst?,Tastes? [Ja],Tastes? [Nein],Day?,Stars?,=Words?',
      'Ja,,,2026-11-26,4,=1+1',
      'Ja,1,,,,',
      'Nein,never,never,,,',
    ]);
  });

  it('has a codebook as JSON', async () => {
    const entries: unknown = await (await download('codebook?format=json')).json();
    expect(entries).toHaveLength(7);
    expect((entries as readonly unknown[])[6]).toEqual({
      ...{ column: 'words', question_id: 'words', title: '=Words?', type: 'textarea' },
      ...{ required: false, page: 1, versions: [1] },
    });
  });
});
