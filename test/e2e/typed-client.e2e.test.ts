import type { components, paths } from '@survey/proto/openapi';
import { poll } from '@survey/runtime/testing/poll';
import createClient, { type Client } from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTenant, tokenFor } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** A client with types generated from the API document. */
function createTypedApi(token?: string): Client<paths> {
  return createClient<paths>({
    baseUrl: inject('stack').gateway,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

type Survey = components['schemas']['Survey'];
type Problem = components['schemas']['Problem'];

let api: Client<paths>;
let receiver: Receiver;
const respondent = () => createTypedApi();

beforeAll(async () => {
  const { tenantId, userId } = await createTenant();
  api = createTypedApi(await tokenFor(tenantId, userId));
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function publishSurvey(): Promise<Survey> {
  const { data: made } = await api.POST('/v1/surveys', {
    params: { header: { 'Idempotency-Key': 'canteen' } },
    body: {
      schema_version: '1.0',
      version: 1,
      survey: {
        title: 'Canteen',
        supported_languages: ['en'],
        pages: [{ questions: [{ id: 'taste', type: 'rating', title: 'How was it?', required: true }] }],
      },
    },
  });
  const { data: published } = await api.POST('/v1/surveys/{survey_id}/publish', {
    params: { path: { survey_id: made?.id ?? '' } },
  });
  if (published === undefined) throw new Error('the survey is not published');
  return published;
}

async function listPage(surveyId: string, cursor?: string) {
  const { data = [], response } = await api.GET('/v1/surveys/{survey_id}/responses', {
    params: {
      path: { survey_id: surveyId },
      query: { limit: 1, order: 'asc', ...(cursor === undefined ? {} : { cursor }) },
    },
  });
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  const { searchParams } = new URL(next ?? '', 'http://gateway');
  return { ids: data.map(({ id }) => id), next: searchParams.get('cursor') ?? undefined };
}

/** The ids on all pages, by the links in replies. */
async function listResponseIds(surveyId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(surveyId, cursor);
    ids.push(...page.ids);
    cursor = page.next;
  } while (cursor !== undefined);
  return ids;
}

describe('a typed client', () => {
  it('brings a response by a link to a webhook, and back to the tenant', async () => {
    const survey = await publishSurvey();
    const path = { survey_id: survey.id };
    const { data: webhook } = await api.POST('/v1/webhooks', {
      body: { url: receiver.url, event_types: ['response.submitted'] },
    });
    expect(webhook?.secret).toMatch(/^whsec_/);
    const { data: link } = await api.POST('/v1/surveys/{survey_id}/links', {
      params: { path },
      body: { password: 'open sesame' },
    });

    const slug = { slug: link?.slug ?? '' };
    const stranger = await respondent().GET('/v1/public/links/{slug}', { params: { path: slug } });
    expect([stranger.response.status, stranger.error?.code]).toEqual([403, 'LINK_PASSWORD_WRONG']);
    const visitor = await respondent().GET('/v1/public/links/{slug}', {
      params: { path: slug, header: { 'Link-Password': 'open sesame' } },
    });
    expect(visitor.data?.languages).toEqual(['en']);
    const pass = { 'Link-Token': visitor.response.headers.get('link-token') ?? '' };

    const begun = await respondent().POST('/v1/public/links/{slug}/responses', {
      params: { path: slug, header: pass },
      body: { status: 'in_progress', data: {} },
    });
    const resumed = {
      path: { response_id: begun.data?.id ?? '' },
      header: { 'Resume-Token': begun.data?.resume_token ?? '' },
    };
    const saved = await respondent().PATCH('/v1/public/responses/{response_id}', {
      params: resumed,
      body: { status: 'completed', data: { taste: 5 } },
    });
    expect(saved.data).toMatchObject({ status: 'completed', survey_id: survey.id });

    await api.POST('/v1/surveys/{survey_id}/responses', { params: { path }, body: { data: { taste: 3 } } });
    const { data: count } = await api.GET('/v1/surveys/{survey_id}/responses/count', { params: { path } });
    expect(count?.count).toBe(2);
    const ids = await listResponseIds(survey.id);
    expect(ids).toHaveLength(2);
    expect(ids).toContain(begun.data?.id);
    const { data: summary } = await api.GET('/v1/surveys/{survey_id}/summary', { params: { path } });
    expect(summary?.questions[0]).toMatchObject({ question_id: 'taste', answered: 2, mean: 4 });

    await poll(() => receiver.received.length === 2);
    const deliveries = await poll(async () => {
      const { data = [] } = await api.GET('/v1/webhooks/{webhook_id}/deliveries', {
        params: { path: { webhook_id: webhook?.id ?? '' }, query: { status: 'delivered' } },
      });
      return data.length === 2 && data;
    });
    expect(deliveries.map(({ event_type }) => event_type)).toEqual(['response.submitted', 'response.submitted']);
  });

  it('updates unchanged records, and gets an error otherwise', async () => {
    const { data: project } = await api.POST('/v1/projects', { body: { name: 'Canteen' } });
    const path = { project_id: project?.id ?? '' };
    const first = await api.GET('/v1/projects/{project_id}', { params: { path } });
    const etag = first.response.headers.get('etag') ?? '';
    const change = (name: string) =>
      api.PATCH('/v1/projects/{project_id}', { params: { path, header: { 'If-Match': etag } }, body: { name } });
    expect((await change('Bar')).data?.name).toBe('Bar');
    const late: { error?: Problem } = await change('Café');
    expect(late.error).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    const wrong = await api.PATCH('/v1/projects/{project_id}', { params: { path }, body: { name: '' } });
    expect(wrong.error?.errors?.map(({ path }) => path)).toEqual(['/name']);
    const { response } = await api.DELETE('/v1/projects/{project_id}', { params: { path } });
    expect(response.status).toBe(204);
  });
});
