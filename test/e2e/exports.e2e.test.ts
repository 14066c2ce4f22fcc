import { beforeAll, describe, expect, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant } from '../support/platform.ts';

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
  schema_version: '2.1',
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

  it('is unchanged after an export and import as JSON, also in another tenant', async () => {
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
