import { randomBytes, randomUUID } from 'node:crypto';
import { toLinkTokens } from '@survey/runtime/auth/link-token';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const data = { ate: 'yes', taste: 4 };

const through = (slug: string, body: unknown = { data }, headers: Readonly<Record<string, string>> = {}) =>
  app.call('POST', `/v1/public/links/${slug}/responses`, { body, headers });

const onBehalf = ({ surveyId, tenantId }: { surveyId: string; tenantId: string }) =>
  app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body: { data } });

const completedOf = (surveyId: string, linkId?: string) =>
  app.responses.countDocuments({ survey_id: surveyId, status: 'completed', ...(linkId && { link_id: linkId }) });

/** Counts replies by error code. Stored responses count as 201. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { status, body } of replies) {
    const key = status === 201 ? '201' : `${status} ${body.code}`;
    all[key] = (all[key] ?? 0) + 1;
  }
  return all;
}

/** Submits like `app.submit`, but repeats the request while the reply is 503. */
const submitUntilAvailable: TestApp['submit'] = (...args) => untilAvailable(() => app.submit(...args));

const times = (count: number, make: (index: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, index) => untilAvailable(() => make(index))));

/** Repeats a request while the reply is 503, as clients do. */
async function untilAvailable(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 503) return reply;
  }
}

describe('two hundred concurrent respondents', () => {
  it('of a survey with fifty seats get fifty', async () => {
    const { surveyId } = app.survey.add({ settings: { responseLimit: 50 } });
    const replies = await times(200, () => app.submit(surveyId, { data }));
    expect(tally(replies)).toEqual({ '201': 50, '409 RESPONSE_LIMIT_REACHED': 150 });
    expect(await completedOf(surveyId)).toBe(50);
  });

  it('of a link with fifty seats get fifty', async () => {
    const survey = app.survey.add();
    const { slug, linkId } = app.survey.addLink(survey, { maxResponses: 50 });
    const replies = await times(200, () => through(slug));
    expect(tally(replies)).toEqual({ '201': 50, '410 LINK_USED_UP': 150 });
    expect(await completedOf(survey.surveyId, linkId)).toBe(50);
  });

  it('exceed neither the limit of the survey nor that of the link, over all submission channels', async () => {
    const survey = app.survey.add({ settings: { responseLimit: 50 } });
    const { slug, linkId } = app.survey.addLink(survey, { maxResponses: 20 });
    const channels = [
      () => through(slug),
      () => app.submit(survey.surveyId, { data }),
      () => onBehalf(survey),
    ] as const;
    const replies = await times(201, (index) => (channels[index % 3] ?? channels[0])());
    expect(tally(replies)['201']).toBe(50);
    expect(await completedOf(survey.surveyId)).toBe(50);
    expect(await completedOf(survey.surveyId, linkId)).toBeLessThanOrEqual(20);
  });

  it('who repeat requests with their keys take one seat each, and get their first reply even if all seats are taken', async () => {
    const { surveyId } = app.survey.add({ settings: { responseLimit: 40 } });
    const keys = Array.from({ length: 40 }, () => randomUUID());
    const submit = (key: number) => submitUntilAvailable(surveyId, { data }, { 'idempotency-key': keys[key] ?? '' });
    const replies = await times(200, (index) => submit(index % 40));
    expect(tally(replies)).toEqual({ '201': 200 });
    expect(await completedOf(surveyId)).toBe(40);
    expect((await submitUntilAvailable(surveyId, { data })).body.code).toBe('RESPONSE_LIMIT_REACHED');
    const again = await submit(7);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(replies[7]?.body);
  });

  it('who complete responses in progress take their seats then', async () => {
    const { surveyId } = app.survey.add({ settings: { responseLimit: 25 } });
    const begun = await times(100, () => app.submit(surveyId, { status: 'in_progress', data }));
    expect(tally(begun)).toEqual({ '201': 100 });
    expect(await completedOf(surveyId)).toBe(0);
    const finished = await times(100, (index) => {
      const { id, resume_token } = begun[index]?.body ?? {};
      const headers = { 'resume-token': resume_token };
      return app.call('PATCH', `/v1/public/responses/${id}`, { headers, body: { status: 'completed' } });
    });
    expect(finished.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(finished.filter(({ body }) => body.code === 'RESPONSE_LIMIT_REACHED')).toHaveLength(75);
    expect(await completedOf(surveyId)).toBe(25);
    expect(await app.responses.countDocuments({ survey_id: surveyId, status: 'in_progress' })).toBe(75);
  });

  it('with one token of a single-use link get one response', async () => {
    const tokenKey = randomBytes(32);
    const [token = '', other = ''] = toLinkTokens(tokenKey, 'batch', 2);
    const survey = app.survey.add();
    const { slug } = app.survey.addLink(survey, { singleUse: true, tokenKey });
    const replies = await times(200, () => through(slug, { data }, { 'link-token': token }));
    expect(tally(replies)).toEqual({ '201': 1, '410 LINK_TOKEN_USED': 199 });
    const begun = { status: 'in_progress', data: {} };
    const saved = await times(200, () => through(slug, begun, { 'link-token': other }));
    expect(tally(saved)).toEqual({ '201': 1, '409 RESPONSE_IN_PROGRESS': 199 });
    expect(new Set(saved.map(({ body }) => body.id ?? body.response_id)).size).toBe(1);
    expect(await app.responses.countDocuments({ survey_id: survey.surveyId })).toBe(2);
    expect(await completedOf(survey.surveyId)).toBe(1);
  });
});

describe('a survey without free seats', () => {
  it('is not shown, and accepts no new responses', async () => {
    const survey = app.survey.add({ settings: { responseLimit: 1 } });
    const { slug } = app.survey.addLink(survey);
    expect((await submitUntilAvailable(survey.surveyId, { data })).status).toBe(201);
    const full = { status: 409, body: { code: 'RESPONSE_LIMIT_REACHED' } };
    await poll(async () => (await app.call('GET', `/v1/public/surveys/${survey.surveyId}`)).status === 409);
    expect(await app.call('GET', `/v1/public/links/${slug}`)).toMatchObject(full);
    for (const status of ['in_progress', 'completed'])
      expect(await submitUntilAvailable(survey.surveyId, { status, data })).toMatchObject(full);
    expect(await onBehalf(survey)).toMatchObject(full);
  });

  it('has free seats again if its limit is raised or a response is deleted', async () => {
    const { surveyId, tenantId } = app.survey.add({ settings: { responseLimit: 1 } });
    const { status, body } = await submitUntilAvailable(surveyId, { data });
    expect(status).toBe(201);
    expect((await submitUntilAvailable(surveyId, { data })).status).toBe(409);
    app.survey.set(surveyId, { settings: { responseLimit: 2 } });
    await poll(async () => (await submitUntilAvailable(surveyId, { data })).status === 201);
    expect((await submitUntilAvailable(surveyId, { data })).status).toBe(409);
    const permissions = ['responses:delete'];
    expect((await app.call('DELETE', `/v1/responses/${body.id}`, { tenantId, permissions })).status).toBe(204);
    await poll(async () => (await submitUntilAvailable(surveyId, { data })).status === 201);
    expect(await completedOf(surveyId)).toBe(2);
  });

  it('does not count disqualified respondents, and keeps its limit during an outage and after a restart', async () => {
    const { surveyId } = app.survey.add({ settings: { responseLimit: 2 } });
    const spam = await submitUntilAvailable(surveyId, { data: { ...data, comment: 'spam' } });
    expect(spam.body.status).toBe('disqualified');
    expect((await submitUntilAvailable(surveyId, { data })).status).toBe(201);
    await app.withoutSurvey(async () => {
      await app.restart();
      const replies = await times(5, () => app.submit(surveyId, { data }));
      expect(tally(replies)).toEqual({ '201': 1, '409 RESPONSE_LIMIT_REACHED': 4 });
    });
  });
});

type Survey = ReturnType<TestApp['survey']['add']>;
type Link = ReturnType<TestApp['survey']['addLink']>;
const soon = () => new Date(Date.now() + 60_000);

describe('a response that waits for a limit', () => {
  /** Sends a request during a recount, changes something, ends the recount, and returns the reply. */
  async function whileRecounted(surveyId: string, send: () => Promise<Reply>, change: () => unknown): Promise<Reply> {
    const counting = { by: 'another process', until: new Date(Date.now() + 3_600_000) };
    await app.ledgers.updateOne({ _id: surveyId }, { $set: { recount_at: new Date(0), counting } });
    await app.db.command({ profile: 2 });
    const profile = app.db.collection('system.profile');
    const reply = send();
    // Wait until the request has passed its first check and tries to change the ledger.
    await poll(async () => (await profile.findOne({ 'command.findAndModify': 'ledgers' })) !== null);
    await app.db.command({ profile: 0 });
    await profile.drop();
    await change();
    const changedAt = performance.now();
    // The process caches the earlier state for a second.
    await poll(() => performance.now() - changedAt > 1_000);
    await app.ledgers.updateOne({ _id: surveyId }, { $set: { recount_at: null, counting: null } });
    return reply;
  }

  /** Like `whileRecounted`. After a long wait, the reply is 503, and the client tries again. */
  async function decidedWhileRecounted(...[surveyId, send, change]: Parameters<typeof whileRecounted>): Promise<Reply> {
    const first = await whileRecounted(surveyId, send, change);
    return first.body.code === 'UNAVAILABLE' ? send() : first;
  }

  async function addLimited() {
    const survey = app.survey.add({ settings: { responseLimit: 5 } });
    const link = app.survey.addLink(survey);
    expect((await through(link.slug)).status).toBe(201);
    return { survey, link };
  }

  const set = (survey: Survey, change: Partial<Survey>) => app.survey.set(survey.surveyId, change);
  const settings = { responseLimit: 5 };

  it.each<[string, (survey: Survey, link: Link) => unknown, string]>([
    ['the survey is closed', (survey) => set(survey, { status: 'closed' }), 'SURVEY_CLOSED'],
    [
      'the closing time passes',
      (survey) => set(survey, { settings: { ...settings, closesAt: new Date() } }),
      'SURVEY_CLOSED',
    ],
    [
      'the opening time is postponed',
      (survey) => set(survey, { settings: { ...settings, opensAt: soon() } }),
      'SURVEY_NOT_OPEN_YET',
    ],
    ['the survey is deleted', (survey) => set(survey, { isPurged: true }), 'SURVEY_NOT_FOUND'],
    ['the link is turned off', (_, { slug }) => app.survey.setLink(slug, { active: false }), 'LINK_NOT_FOUND'],
    ['the link expires', (_, { slug }) => app.survey.setLink(slug, { expiresAt: new Date() }), 'LINK_EXPIRED'],
    ['the limit is lowered', (survey) => set(survey, { settings: { responseLimit: 1 } }), 'UNAVAILABLE'],
    ...(['suspended', 'deleted'] as const).map((status): [string, (survey: Survey) => unknown, string] => [
      `the tenant is ${status}`,
      ({ tenantId }) => app.db.collection('tenant_states').insertOne({ _id: tenantId as never, status, revision: 1 }),
      status === 'suspended' ? 'SURVEY_CLOSED' : 'SURVEY_NOT_FOUND',
    ]),
  ])('is rejected if %s meanwhile, and frees its seat', async (_case, change, code) => {
    const { survey, link } = await addLimited();
    const { surveyId } = survey;
    const run = code === 'UNAVAILABLE' ? whileRecounted : decidedWhileRecounted;
    const reply = await run(
      surveyId,
      () => through(link.slug),
      () => change(survey, link),
    );
    expect(reply.body).toMatchObject({ code });
    expect(await completedOf(surveyId)).toBe(1);
    expect(await app.ledgers.findOne({ _id: surveyId })).toMatchObject({ used: 1, entries: [] });
  });

  it('is rejected at the address of its survey, too, but keeps its saved answers', async () => {
    const { survey } = await addLimited();
    const { surveyId } = survey;
    const { body: begun } = await submitUntilAvailable(surveyId, { status: 'in_progress', data });
    const headers = { 'resume-token': begun.resume_token };
    const save = () =>
      app.call('PATCH', `/v1/public/responses/${begun.id}`, { headers, body: { status: 'completed' } });
    const close = () => set(survey, { status: 'closed' });
    expect((await decidedWhileRecounted(surveyId, save, close)).body.code).toBe('SURVEY_CLOSED');
    expect((await app.call('GET', `/v1/public/responses/${begun.id}`, { headers })).body.data).toEqual(data);
    set(survey, { status: 'active' });
    await poll(async () => (await submitUntilAvailable(surveyId, { data })).status === 201);
    const submit = () => submitUntilAvailable(surveyId, { data });
    expect((await decidedWhileRecounted(surveyId, submit, close)).body.code).toBe('SURVEY_CLOSED');
    expect(await completedOf(surveyId)).toBe(2);
  });

  it('gets the reply of an earlier attempt that was stored before the survey closed', async () => {
    const { survey } = await addLimited();
    const { surveyId } = survey;
    const key = { 'idempotency-key': randomUUID() };
    const first = await submitUntilAvailable(surveyId, { data }, key);
    const again = await whileRecounted(
      surveyId,
      () => submitUntilAvailable(surveyId, { data }, { 'idempotency-key': randomUUID() }),
      () => set(survey, { status: 'closed' }),
    );
    expect(again.body.code).toBe('SURVEY_CLOSED');
    expect((await submitUntilAvailable(surveyId, { data }, key)).body).toEqual(first.body);
  });
});
