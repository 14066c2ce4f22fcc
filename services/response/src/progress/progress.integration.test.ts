import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';
import { createTestWindows } from '../testing/test-stores.ts';
import { createProgressStore } from './progress-store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

type Sent = Readonly<Record<string, string>>;

interface Begun {
  readonly id: string;
  readonly resume_token: string;
}

const data = { ate: 'yes', taste: 4 };

async function begin(surveyId: string, body: object = { data: { ate: 'yes' } }): Promise<Begun> {
  return (await app.submit(surveyId, { status: 'in_progress', ...body })).body;
}

async function beginThrough(slug: string): Promise<Begun> {
  const body = { status: 'in_progress', data: { ate: 'yes' } };
  return (await app.call('POST', `/v1/public/links/${slug}/responses`, { body })).body;
}

const read = ({ id, resume_token }: Begun) =>
  app.call('GET', `/v1/public/responses/${id}`, { headers: { 'resume-token': resume_token } });
const save = ({ id, resume_token }: Begun, body: unknown, headers: Sent = {}) =>
  app.call('PATCH', `/v1/public/responses/${id}`, { headers: { 'resume-token': resume_token, ...headers }, body });
const outboxOf = async ({ id }: Begun) => (await app.responses.findOne({ _id: id }))?.outbox ?? [];

describe('a response in progress', () => {
  it('is started with some answers, then read, saved and completed with its token', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const submitted = await app.submit(surveyId, {
      status: 'in_progress',
      data: { ate: 'yes' },
      metadata: { page: 1 },
      language: 'en',
    });
    expect(submitted.body).toEqual({
      id: expect.any(String),
      status: 'in_progress',
      survey_id: surveyId,
      survey_version: 1,
      created_at: expect.any(String),
      resume_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    const begun: Begun = submitted.body;
    await poll(async () => (await outboxOf(begun)).length === 0);
    const saved = await save(begun, { data: { taste: 3, comment: 'Hm' }, metadata: { page: 2 }, language: 'de' });
    expect(saved.body).toMatchObject({ id: begun.id, status: 'in_progress' });
    expect(saved.body).not.toHaveProperty('resume_token');
    expect(await outboxOf(begun)).toEqual([]);
    const { headers, body } = await read(begun);
    expect(headers.get('x-survey-tenant')).toBe(tenantId);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ status: 'in_progress', data: { ate: 'yes', taste: 3, comment: 'Hm' } });
    const finished = await save(begun, { status: 'completed', data: { comment: null } });
    expect(finished.body).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
    const stored = await app.call('GET', `/v1/responses/${begun.id}`, { tenantId });
    expect(stored.body).toMatchObject({
      status: 'completed',
      data: { ate: 'yes', taste: 3 },
      metadata: { page: 2 },
      language: 'de',
      completed_at: finished.body.completed_at,
    });
    expect((await read(begun)).body).toMatchObject({ status: 'completed', data: { ate: 'yes', taste: 3 } });
  });

  it('publishes one event when it is completed, and is counted then', async () => {
    const { surveyId } = app.survey.add({ settings: { responseLimit: 10 } });
    const begun = await begin(surveyId, { data });
    const counted = (status: string) => new RegExp(`survey_responses_total{[^}]*${surveyId}[^}]*${status}"} 1\n`);
    expect(await app.metrics()).not.toMatch(counted('in_progress'));
    await app.responses.updateOne({ _id: begun.id }, { $set: { outbox: [] } });
    const finished = await Promise.all([1, 2, 3].map(() => save(begun, { status: 'completed' })));
    expect(finished.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(finished.map(({ body }) => body.completed_at)).size).toBe(1);
    expect(await app.metrics()).toMatch(counted('completed'));
    expect(await app.responses.findOne({ _id: begun.id })).toMatchObject({ revision: 2 });
  });

  it('may lack answers, but must be valid as a whole when it is completed', async () => {
    const { surveyId } = app.survey.add();
    expect(await app.submit(surveyId, { status: 'in_progress', data: { ate: 'x' } })).toMatchObject({ status: 422 });
    const begun = await begin(surveyId, { data: {} });
    const bad = await save(begun, { data: { ate: 'perhaps', nothing: 1 } });
    expect(bad).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS' } });
    expect(bad.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['/data/ate', '/data/nothing']);
    const short = await save(begun, { status: 'completed', data: { ate: 'yes' } });
    expect(short.body.errors).toMatchObject([{ path: '/data/taste', code: 'REQUIRED' }]);
    expect((await read(begun)).body).toMatchObject({ status: 'in_progress', data: {} });
    for (const [body, path] of [
      [{ language: 'fr' }, '/language'],
      [{ metadata: { a: 'x'.repeat(17_000) } }, '/metadata'],
    ] as const)
      expect(await save(begun, body)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect((await save(begun, { status: 'abandoned' })).status).toBe(422);
    expect((await app.submit(surveyId, { status: 'abandoned', data })).status).toBe(422);
  });

  it('drops hidden answers, and rejects them in strict mode', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId, { data });
    expect((await save(begun, { data: { ate: 'no' }, strict: true })).status).toBe(200);
    expect((await read(begun)).body.data).toEqual({ ate: 'no' });
    const hidden = await save(begun, { data: { taste: 5 }, strict: true });
    expect(hidden.body.errors).toMatchObject([{ path: '/data/taste', code: 'HIDDEN_QUESTION' }]);
    expect((await save(begun, { data: { taste: 5 } })).status).toBe(200);
    expect((await read(begun)).body.data).toEqual({ ate: 'no' });
  });

  it('replaces an answer entirely', async () => {
    const question = { id: 'q', type: 'multiple_choice', title: 'Which?', options: ['a', 'b'], allow_other: true };
    const definition = { ...testDefinition, pages: [{ questions: [question] }], logic: [] };
    const { surveyId } = app.survey.add({ definition });
    const begun = await begin(surveyId, { data: { q: { options: ['a'], other: 'c' } } });
    await save(begun, { data: { q: { options: ['b'] } } });
    expect((await read(begun)).body.data).toEqual({ q: ['b'] });
  });

  it('removes answers with null', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const begun = await begin(surveyId, { data, metadata: { a: 1, b: { c: 2 } }, language: 'en' });
    await save(begun, { data: { taste: null }, metadata: { a: null } });
    const stored = async () => (await app.call('GET', `/v1/responses/${begun.id}`, { tenantId })).body;
    expect(await stored()).toMatchObject({ data: { ate: 'yes' }, metadata: { b: { c: 2 } }, language: 'en' });
    expect((await save(begun, { data: null, metadata: null, language: null })).status).toBe(200);
    const left = await stored();
    expect(left).toMatchObject({ status: 'in_progress', data: {} });
    expect(left).not.toHaveProperty('metadata');
    expect(left).not.toHaveProperty('language');
  });

  it('can end as disqualified', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId, { data: { comment: 'spam' } });
    expect((await save(begun, { status: 'completed' })).body.status).toBe('disqualified');
  });

  it('is validated by the version that it names', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    app.survey.set(surveyId, { version: 2, definition: { ...testDefinition, pages: [], logic: [] } });
    await poll(async () => (await app.call('GET', `/v1/public/surveys/${surveyId}`)).body.version === 2);
    expect((await save(begun, { status: 'completed', data })).body).toMatchObject({
      status: 'completed',
      survey_version: 1,
    });
  });

  it('can be continued during an outage of the survey service, even after a restart', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    await app.withoutSurvey(async () => {
      await app.restart();
      expect((await save(begun, { data: { taste: 2 } })).status).toBe(200);
      expect((await save(begun, { status: 'completed' })).body.status).toBe('completed');
    });
  });
});

describe('the resume token', () => {
  it.each([
    ['none', () => ({})],
    ['an empty one', () => ({ 'resume-token': '' })],
    ['one that is malformed', () => ({ 'resume-token': 'x' })],
    ['that of another response', (other: Begun) => ({ 'resume-token': other.resume_token })],
  ])('must be right: %s', async (_case, headersOf) => {
    const { surveyId } = app.survey.add();
    const [begun, other] = [await begin(surveyId), await begin(surveyId)];
    const headers = headersOf(other);
    const path = `/v1/public/responses/${begun.id}`;
    const hidden = { status: 404, body: { code: 'RESPONSE_NOT_FOUND' } };
    expect(await app.call('GET', path, { headers })).toMatchObject(hidden);
    expect(await app.call('PATCH', path, { headers, body: { data: {} } })).toMatchObject(hidden);
    const unknown = { id: randomUUID(), resume_token: begun.resume_token };
    expect(await read(unknown)).toMatchObject(hidden);
  });

  it('is returned again for the same key with the first reply, even after completion', async () => {
    const { surveyId } = app.survey.add();
    const body = { status: 'in_progress', data: { ate: 'no' } };
    const key = { 'idempotency-key': randomUUID() };
    const first = await app.submit(surveyId, body, key);
    expect((await app.submit(surveyId, body, key)).body).toEqual(first.body);
    expect((await app.submit(surveyId, { data: { ate: 'no' } }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    await save(first.body, { status: 'completed' });
    const again = await app.submit(surveyId, body, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(await app.responses.countDocuments({ survey_id: surveyId })).toBe(1);
  });

  it('is not returned for a complete response, and is not valid for a deleted one', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect((await app.submit(surveyId, { data })).body).not.toHaveProperty('resume_token');
    const begun = await begin(surveyId);
    const permissions = ['responses:delete'];
    expect((await app.call('DELETE', `/v1/responses/${begun.id}`, { tenantId, permissions })).status).toBe(204);
    expect((await read(begun)).status).toBe(404);
    expect((await save(begun, { data: {} })).status).toBe(404);
  });
});

describe('saving', () => {
  it('takes a language with a region as the nearest one of the survey', async () => {
    const begun = await begin(app.survey.add().surveyId, { data, language: 'en' });
    expect((await save(begun, { language: 'de-AT' })).status).toBe(200);
    expect(await app.responses.findOne({ _id: begun.id })).toMatchObject({ language: 'de' });
  });

  it('is rejected after completion, unless the request is a repeat', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    const first = await save(begun, { status: 'completed', data: { taste: 1 } });
    expect((await save(begun, { status: 'completed', data: { taste: 1 } })).body).toEqual(first.body);
    for (const body of [{ status: 'completed', data: { taste: 2 } }, { data: { taste: 1 } }, {}])
      expect(await save(begun, body)).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } });
  });

  it.each<[string, object]>([
    ['a language in another case', { data, language: 'EN' }],
    ['an answer to a hidden question', { data: { ate: 'no', taste: 5 } }],
    ['answers that are stored in another form', { data: { ...data, comment: '', age: null } }],
  ])('as completed may be repeated with %s, even after the survey is closed', async (_case, change) => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    const body = { status: 'completed', ...change };
    const first = await save(begun, body);
    expect(first).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await save(begun, body)).toMatchObject({ status: 200, body: first.body });
    app.survey.set(surveyId, { status: 'closed' });
    await poll(async () => (await app.submit(surveyId, { data })).status === 409);
    expect(await save(begun, body)).toMatchObject({ status: 200, body: first.body });
  });

  it('as completed is rejected after completion if a change is invalid', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId, { data });
    expect((await save(begun, { status: 'completed' })).status).toBe(200);
    for (const change of [
      { data: { nothing: 1 } },
      { language: 'fr' },
      { data: { ate: 'no', taste: 5 }, strict: true },
    ])
      expect(await save(begun, { status: 'completed', ...change })).toMatchObject({ status: 409 });
  });

  it('is rejected if the survey accepts no more responses, and reading works', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    app.survey.set(surveyId, { status: 'closed' });
    await poll(async () => (await save(begun, { data: { taste: 1 } })).body.code === 'SURVEY_CLOSED');
    expect((await read(begun)).status).toBe(200);
    app.survey.set(surveyId, { status: 'deleted' });
    await poll(async () => (await read(begun)).body.code === 'SURVEY_NOT_FOUND');
  });

  it('and finishing are rejected at the address of a survey with links only', async () => {
    const survey = app.survey.add();
    const [begun, throughLink] = [await begin(survey.surveyId), await beginThrough(app.survey.addLink(survey).slug)];
    app.survey.set(survey.surveyId, { settings: { access: 'links_only' } });
    await poll(async () => (await save(begun, { data: { taste: 1 } })).body.code === 'LINKS_ONLY');
    expect(await save(begun, { status: 'completed', data })).toMatchObject({ status: 403 });
    expect(await save(throughLink, { status: 'completed', data })).toMatchObject({ status: 200 });
    app.survey.set(survey.surveyId, { settings: {} });
    expect(await save(begun, { status: 'completed', data })).toMatchObject({ status: 200 });
  });

  it.each<[string, (slug: string) => void, number, string]>([
    ['switched off', (slug) => app.survey.setLink(slug, { active: false }), 404, 'LINK_NOT_FOUND'],
    ['deleted', (slug) => app.survey.removeLink(slug), 404, 'LINK_NOT_FOUND'],
    ['expired', (slug) => app.survey.setLink(slug, { expiresAt: new Date() }), 410, 'LINK_EXPIRED'],
  ])('and finishing are rejected if the link is %s, but reading is possible', async (_how, end, status, code) => {
    const { slug } = app.survey.addLink(app.survey.add());
    const begun = await beginThrough(slug);
    end(slug);
    await poll(async () => (await save(begun, { data: { taste: 1 } })).body.code === code);
    expect(await save(begun, { status: 'completed', data })).toMatchObject({ status, body: { code } });
    expect((await read(begun)).body).toMatchObject({ status: 'in_progress' });
    await app.withoutSurvey(async () => {
      await app.restart();
      expect(await save(begun, { status: 'completed', data })).toMatchObject({ status, body: { code } });
    });
  });

  it('works again immediately if the link is activated again', async () => {
    const { slug } = app.survey.addLink(app.survey.add());
    const begun = await beginThrough(slug);
    app.survey.setLink(slug, { active: false });
    await poll(async () => (await save(begun, { data: { taste: 1 } })).status === 404);
    app.survey.setLink(slug, { active: true });
    expect((await save(begun, { status: 'completed', data })).status).toBe(200);
  });

  it('works if the slug of the link changes, even if the old one is given to another link', async () => {
    const link = app.survey.addLink(app.survey.add());
    const [begun, other] = [await beginThrough(link.slug), await beginThrough(link.slug)];
    const slug = randomUUID();
    app.survey.setLink(link.slug, { slug });
    await poll(async () => (await app.call('GET', `/v1/public/links/${link.slug}`)).status === 404);
    expect((await save(begun, { status: 'completed', data })).status).toBe(200);
    app.survey.addLink(app.survey.add(), { slug: link.slug });
    await poll(async () => (await app.call('GET', `/v1/public/links/${link.slug}`)).status === 200);
    expect((await save(other, { data: { taste: 1 } })).status).toBe(200);
    app.survey.setLink(slug, { active: false });
    await poll(async () => (await save(other, { data: { taste: 2 } })).status === 404);
  });

  it('checks the revision in If-Match, and writes nothing if nothing changes', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    const { headers } = await read(begun);
    const etag = headers.get('etag') ?? '';
    expect(etag).toBe('"1"');
    const nothing = await save(begun, { data: { ate: 'yes' } });
    expect(nothing.headers.get('etag')).toBe(etag);
    expect((await save(begun, { data: { taste: 1 } }, { 'if-match': etag })).headers.get('etag')).toBe('"2"');
    expect((await save(begun, { data: { taste: 2 } }, { 'if-match': etag })).status).toBe(412);
  });

  it('concurrently loses nothing', async () => {
    const { surveyId } = app.survey.add();
    const begun = await begin(surveyId);
    const saved = await Promise.all([save(begun, { data: { taste: 5 } }), save(begun, { data: { age: '44' } })]);
    expect(saved.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(begun)).body.data).toEqual({ ate: 'yes', taste: 5, age: '44' });
  });
});

describe('an inactive response', () => {
  it('is abandoned after a time, once, and its respondent cannot continue it', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const [left, active, done] = [await begin(surveyId), await begin(surveyId), await begin(surveyId, { data })];
    await save(done, { status: 'completed' });
    const long = new Date(Date.now() - 2 * 60 * 60_000);
    const ids = [left.id, done.id];
    await app.responses.updateMany({ _id: { $in: ids } }, { $set: { updated_at: long } });
    await app.restart();
    const statusOf = async ({ id }: Begun) => (await app.responses.findOne({ _id: id }))?.status;
    await poll(async () => (await statusOf(left)) === 'abandoned');
    expect([await statusOf(active), await statusOf(done)]).toEqual(['in_progress', 'completed']);
    expect(await app.responses.findOne({ _id: left.id })).toMatchObject({ revision: 2, completed_at: null });
    expect(await read(left)).toMatchObject({ status: 404, body: { code: 'RESPONSE_NOT_FOUND' } });
    expect((await save(left, { data: {} })).status).toBe(404);
    const eventsOf = async ({ id }: Begun) => {
      const messages = await createTestKafka().readTopic(topics.response, 2, ({ key }) => key?.toString() === id);
      return messages.map(readEvent).map(({ type, data: { status, revision } }) => [type, status, revision]);
    };
    expect(await eventsOf(left)).toEqual([
      ['response.started', 'in_progress', 1],
      ['response.abandoned', 'abandoned', 2],
    ]);
    expect(await eventsOf(done)).toEqual([
      ['response.started', 'in_progress', 1],
      ['response.submitted', 'completed', 2],
    ]);
    const listed = await app.call('GET', `/v1/surveys/${surveyId}/responses?status=abandoned`, { tenantId });
    expect(listed.body.map(({ id }: Begun) => id)).toEqual([left.id]);
  });

  it('is abandoned together with any number of others', async () => {
    const { surveyId } = app.survey.add();
    const template = await app.responses.findOne({ _id: (await begin(surveyId)).id });
    if (template === null) throw new Error('there is one');
    const many = Array.from({ length: 1_100 }, () => ({ ...template, _id: randomUUID(), updated_at: new Date(0) }));
    await app.responses.insertMany(many);
    const store = createProgressStore({
      collection: app.responses,
      windows: createTestWindows(app.db),
      onEvent: () => {},
    });
    let rounds = 0;
    while (await store.abandonBatch(new Date(1), new Date())) rounds += 1;
    expect(rounds).toBeGreaterThanOrEqual(2);
    expect(await app.responses.countDocuments({ survey_id: surveyId, status: 'abandoned' })).toBe(1_100);
  });
});
