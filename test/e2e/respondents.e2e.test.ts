import { poll } from '@survey/runtime/testing/poll';
import { describe, expect, it } from 'vitest';
import { lunchAnswers, lunchSurvey, PRIVATE } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant } from '../support/platform.ts';

const respondent = createApi();

async function publishedSurvey(api: Api): Promise<string> {
  const { body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
  expect((await api('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
  return body.id;
}

const show = (surveyId: string, headers = {}) => respondent('GET', `/v1/public/surveys/${surveyId}`, { headers });
const submit = (surveyId: string, body: object) =>
  respondent('POST', `/v1/public/surveys/${surveyId}/responses`, { body: { data: lunchAnswers, ...body } });

describe('a respondent', () => {
  it('can answer the version that was shown when a newer one is live', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const { body: shown } = await show(surveyId);
    const pages = [{ questions: [{ id: 'where', type: 'text', title: 'Where?', required: true }] }];
    const body = { ...lunchSurvey, survey: { ...lunchSurvey.survey, pages, logic: [] } };
    expect((await api('PUT', `/v1/surveys/${surveyId}`, { body })).body).toMatchObject({
      version: 2,
      status: 'active',
    });
    await poll(async () => (await show(surveyId)).body.version === 2);

    const submitted = await submit(surveyId, { survey_version: shown.version });
    expect(submitted).toMatchObject({ status: 201, body: { survey_version: 1 } });
    expect((await submit(surveyId, { survey_version: 2 })).body.code).toBe('INVALID_ANSWERS');
    const unknown = await submit(surveyId, { survey_version: 3 });
    expect(unknown.body.errors).toMatchObject([{ path: '/survey_version', code: 'UNKNOWN_VERSION' }]);
  });

  it('reads no source_data of a survey, at any level, neither at its address nor through a link', async () => {
    const { api } = await createTenant();
    const source_data = { secret: 'only for the tenant' };
    const part = { source_data, metadata: { source_data, shown: 'for respondents' } };
    const question = {
      id: 'q',
      type: 'single_choice',
      title: 'Q?',
      options: [{ id: 'a', text: 'A', ...part }],
      ...part,
    };
    const page = { questions: [question], ...part };
    const survey = { title: 'Imported', supported_languages: ['en'], pages: [page], ...part };
    const { body } = await api('POST', '/v1/surveys', { body: { schema_version: '1.0', version: 1, survey } });
    expect((await api('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
    const { body: link } = await api('POST', `/v1/surveys/${body.id}/links`, { body: {} });
    for (const path of [`surveys/${body.id}`, `links/${link.slug}`]) {
      const { status, body: shown } = await respondent('GET', `/v1/public/${path}`);
      expect([status, JSON.stringify(shown).match(/source_data|only for/)]).toEqual([200, null]);
      expect(JSON.stringify(shown).match(/for respondents/g)).toHaveLength(4);
    }
    expect(JSON.stringify((await api('GET', `/v1/surveys/${body.id}`)).body).match(/only for/g)).toHaveLength(8);
  });

  it('cannot answer a version that was never live', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    await api('POST', `/v1/surveys/${surveyId}/close`);
    await api('PUT', `/v1/surveys/${surveyId}`, { body: lunchSurvey });
    await api('PUT', `/v1/surveys/${surveyId}`, { body: { ...lunchSurvey, version: 2 } });
    expect((await api('POST', `/v1/surveys/${surveyId}/publish`)).body.version).toBe(3);
    expect((await submit(surveyId, { survey_version: 2 })).body.errors).toMatchObject([{ code: 'UNKNOWN_VERSION' }]);
    expect((await submit(surveyId, { survey_version: 1 })).status).toBe(201);
  });

  it('is affected by settings within two seconds', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    expect((await submit(surveyId, {})).status).toBe(201);
    const set = (settings: object) => api('PATCH', `/v1/surveys/${surveyId}`, { body: { settings } });
    const codeOfBoth = async () => [(await show(surveyId)).body.code, (await submit(surveyId, {})).body.code];
    const meets = (code: string) => poll(async () => (await codeOfBoth()).every((one) => one === code));

    expect((await set({ access: 'links_only' })).status).toBe(200);
    await meets('LINKS_ONLY');
    await set({ access: 'open', opens_at: new Date(Date.now() + 60_000).toISOString() });
    await meets('SURVEY_NOT_OPEN_YET');
    await set({ opens_at: null, closes_at: new Date(Date.now() + 1_000).toISOString() });
    await poll(async () => (await codeOfBoth()).every((one) => one === 'SURVEY_CLOSED'));
  });

  it('gets 304 for a survey that is unchanged', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const { headers } = await show(surveyId);
    const again = await show(surveyId, { 'if-none-match': headers.get('etag') });
    expect([again.status, again.body, again.headers.get('cache-control')]).toEqual([304, '', 'public, max-age=1']);
  });
});

describe('a visitor of a link', () => {
  const visit = (slug: string, headers = {}) => respondent('GET', `/v1/public/links/${slug}`, { headers });

  it('can answer a survey with access only by links', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    await api('PATCH', `/v1/surveys/${surveyId}`, { body: { settings: { access: 'links_only' } } });
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: {} });
    expect(await visit(link.slug)).toMatchObject({
      status: 200,
      body: { id: surveyId, definition: lunchSurvey.survey },
    });
    await api('PATCH', `/v1/links/${link.id}`, { body: { active: false } });
    await poll(async () => (await visit(link.slug)).body.code === 'LINK_NOT_FOUND');
    await api('PATCH', `/v1/links/${link.id}`, { body: { active: true } });
    expect((await visit(link.slug)).status).toBe(200);
    expect((await api('DELETE', `/v1/links/${link.id}`)).status).toBe(204);
    await poll(async () => (await visit(link.slug)).body.code === 'LINK_NOT_FOUND');
  });

  it('needs the password only once', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const password = `open ${PRIVATE}`;
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: { password } });
    expect((await visit(link.slug, { 'link-password': 'guess' })).body.code).toBe('LINK_PASSWORD_WRONG');
    const admitted = await visit(link.slug, { 'link-password': password });
    expect(admitted).toMatchObject({ status: 200, body: { id: surveyId } });
    const pass = { 'link-token': admitted.headers.get('link-token') };
    expect((await visit(link.slug, pass)).status).toBe(200);
    await api('PATCH', `/v1/links/${link.id}`, { body: { password: 'another' } });
    await poll(async () => (await visit(link.slug, pass)).body.code === 'LINK_PASSWORD_WRONG');
    await api('PATCH', `/v1/links/${link.id}`, { body: { password: null } });
    expect((await visit(link.slug)).status).toBe(200);
  });

  it('needs one of the tokens of a single-use link', async () => {
    const { api } = await createTenant();
    const surveyId = await publishedSurvey(api);
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, {
      body: { single_use: true, token_count: 2, expires_at: new Date(Date.now() + 60_000).toISOString() },
    });
    const { body: more } = await api('POST', `/v1/links/${link.id}/tokens`, { body: {} });
    for (const token of [...link.tokens, ...more.tokens])
      expect((await visit(link.slug, { 'link-token': token })).status).toBe(200);
    expect((await visit(link.slug)).body.code).toBe('LINK_TOKEN_WRONG');
    await api('PATCH', `/v1/links/${link.id}`, { body: { expires_at: new Date(Date.now() + 500).toISOString() } });
    await poll(async () => (await visit(link.slug, { 'link-token': more.tokens[0] })).body.code === 'LINK_EXPIRED');
  });
});
