import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';

let service: TestSurveyService;

beforeAll(async () => {
  service = await startTestSurveyService();
});

afterAll(() => service.close());

const [question] = testPayload.survey.pages[0]?.questions ?? [];
const misspelt = {
  ...testPayload,
  survey: { ...testPayload.survey, logics: [], pages: [{ questions: [{ ...question, requierd: true }] }] },
};
const problems = [
  {
    path: '/survey/logics',
    code: 'UNKNOWN_MEMBER',
    detail: '"logics" is not a member of a survey; did you mean "logic"?',
  },
  {
    path: '/survey/pages/0/questions/0/requierd',
    code: 'UNKNOWN_MEMBER',
    detail: '"requierd" is not a member of a question; did you mean "required"?',
  },
];

describe('unknown members', () => {
  it('are rejected wherever a definition is saved', async () => {
    const { call, createSurvey } = service.tenant();
    const id = await createSurvey();
    const saves = [
      ['POST', '/v1/surveys'],
      ['PUT', `/v1/surveys/${id}`],
      ['PUT', `/v1/surveys/${id}?draft=true`],
    ] as const;
    for (const [method, path] of saves) {
      const { status, body } = await call(method, path, { body: misspelt });
      expect([status, body.code, body.errors]).toEqual([422, 'INVALID_DEFINITION', problems]);
    }
    expect((await call('GET', `/v1/surveys/${id}`)).body.definition).toEqual(testPayload.survey);
  });

  it('are errors when a payload is validated', async () => {
    const { status, body } = await service.tenant().call('POST', '/v1/surveys/validate', { body: misspelt });
    expect([status, body]).toEqual([200, { valid: false, errors: problems, warnings: [] }]);
  });

  it('are accepted in definitions that an older release stored', async () => {
    const { call, createSurvey } = service.tenant();
    const id = await createSurvey();
    const definition = misspelt.survey;
    const stored = { $set: { definition: JSON.stringify(definition) } };
    await service.db.collection<{ _id: string }>('surveys').updateOne({ _id: id }, stored);
    await service.db.collection('survey_versions').updateOne({ survey_id: id }, stored);
    expect((await call('POST', `/v1/surveys/${id}/publish`)).body).toMatchObject({ status: 'active', definition });
    for (const path of [`/v1/surveys/${id}`, `/v1/surveys/${id}/versions/1`]) {
      expect((await call('GET', path)).body.definition).toEqual(definition);
    }
    expect((await service.definitions.getDefinition({ surveyId: id }, callOptionsFor({}))).definition).toEqual(
      definition,
    );
    const copy = await call('POST', `/v1/surveys/${id}/duplicate`);
    expect([copy.status, copy.body.definition]).toEqual([201, definition]);
    const exported = await call('GET', `/v1/surveys/${id}/export?format=json`);
    expect(exported.body.survey).toEqual(definition);
  });
});
