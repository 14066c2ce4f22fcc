import { type TestSurveyService, testPayload } from '../../testing/test-survey-service.ts';

/** Creates a survey, with helpers to call its operations. */
export async function makeSurveyOf(tenant: ReturnType<TestSurveyService['tenant']>, change: object = {}) {
  const id = await tenant.createSurvey(change);
  const pathOf = (rest = '') => `/v1/surveys/${id}${rest}`;
  return {
    ...tenant,
    surveyId: id,
    pathOf,
    get: async () => (await tenant.call('GET', pathOf())).body,
    act: (verb: string) => tenant.call('POST', pathOf(`/${verb}`)),
    put: (version: number, payload: object = {}, query = '') =>
      tenant.call('PUT', pathOf(query), { body: { ...testPayload, version, ...payload } }),
    patch: (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      tenant.call('PATCH', pathOf(), { body, headers }),
  };
}

/** A definition without options: it can be stored, but not published. */
export const unfinished = {
  survey: { ...testPayload.survey, pages: [{ questions: [{ id: 'q1', type: 'single_choice', title: 'Which?' }] }] },
};
export const titled = (title: string) => ({ survey: { ...testPayload.survey, title } });
export const codesOf = ({ body }: { readonly body: { readonly errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`);
