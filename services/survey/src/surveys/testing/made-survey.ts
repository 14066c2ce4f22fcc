import { type TestSurveyService, testPayload } from '../../testing/test-survey-service.ts';

/** A new survey of a tenant, and what can be done to it. */
export async function makeSurveyOf(tenant: ReturnType<TestSurveyService['tenant']>, change: object = {}) {
  const id = await tenant.createSurvey(change);
  const at = (rest = '') => `/v1/surveys/${id}${rest}`;
  return {
    ...tenant,
    surveyId: id,
    at,
    get: async () => (await tenant.call('GET', at())).body,
    act: (verb: string) => tenant.call('POST', at(`/${verb}`)),
    put: (version: number, payload: object = {}, query = '') =>
      tenant.call('PUT', at(query), { body: { ...testPayload, version, ...payload } }),
    patch: (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      tenant.call('PATCH', at(), { body, headers }),
  };
}

/** A definition with its shape but without options: it can be stored, not published. */
export const unfinished = {
  survey: { ...testPayload.survey, pages: [{ questions: [{ id: 'q1', type: 'single_choice', title: 'Which?' }] }] },
};
export const titled = (title: string) => ({ survey: { ...testPayload.survey, title } });
/** Where the problems of a refusal are, and which. */
export const codesOf = ({ body }: { readonly body: { readonly errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`);
