import { surveyPayload, translated } from '@survey/questionnaire/testing/example-payloads';
import { logicForms, sections } from '@survey/questionnaire/testing/logic-forms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService } from '../testing/test-survey-service.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

const metadata = { theme: { colors: ['#fff', null, 1.5, { deep: [[]] }], $ref: 'x', 'a.b': { $id: 1 }, '': true } };
const payloads = {
  'as the creation payload': surveyPayload(),
  'with sections': surveyPayload({ sections }),
  'with screens and free content': surveyPayload({
    welcome_screen: {
      title: 'Welcome',
      description: 'Hello',
      metadata: { image: { url: 'https://example.org/a.png' } },
    },
    thank_you_screen: { title: 'Thank you', description: '' },
    metadata,
  }),
  'with translations': translated,
  ...Object.fromEntries(
    Object.entries(logicForms).map(([name, logic]) => [`with logic in ${name}`, surveyPayload({ logic, sections })]),
  ),
};

describe('a survey over REST', () => {
  it.each(Object.entries(payloads))('%s is accepted, published and returned unchanged', async (_, body) => {
    const { call } = service.tenant();
    const created = await call('POST', '/v1/surveys', { body });
    const expected = { definition: body['survey'], schema_version: body['schema_version'], version: body['version'] };
    expect(created).toMatchObject({ status: 201 });
    const at = `/v1/surveys/${created.body.id}`;
    expect((await call('POST', `${at}/publish`)).status).toBe(200);
    for (const path of [at, `${at}/versions/1`]) {
      const { definition, schema_version, version } = (await call('GET', path)).body;
      expect({ definition, schema_version, version }).toEqual(expected);
    }
  });
});
