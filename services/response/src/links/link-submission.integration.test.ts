import { randomBytes, randomUUID } from 'node:crypto';
import { toLinkTokens } from '@survey/runtime/auth/link-token';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeletedResponseStore } from '../responses/deleted-response-store.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { createTestSlices } from '../testing/test-slices.ts';
import { createTestWindows } from '../testing/test-windows.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

type Sent = Readonly<Record<string, string>>;

const data = { ate: 'yes', taste: 4 };
const tokenKey = randomBytes(32);
const [token = '', otherToken = ''] = toLinkTokens(tokenKey, 'batch', 2);

const submit = (slug: string, headers: Sent = {}, body: unknown = { data }) =>
  app.call('POST', `/v1/public/links/${slug}/responses`, { body, headers });
const visit = (slug: string, headers: Sent = {}) => app.call('GET', `/v1/public/links/${slug}`, { headers });

describe('a submission through a link', () => {
  it('is stored with its link, and sends the tenant to the gateway', async () => {
    const survey = app.survey.add({ settings: { access: 'links_only' } });
    const { slug, linkId } = app.survey.addLink(survey);
    const { status, headers, body } = await submit(slug, {}, { data, language: 'DE' });
    expect(status).toBe(201);
    expect(headers.get('x-survey-tenant')).toBe(survey.tenantId);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.any(String),
      status: 'completed',
      survey_id: survey.surveyId,
      survey_version: 1,
      created_at: expect.any(String),
      completed_at: expect.any(String),
    });
    const read = await app.call('GET', `/v1/responses/${body.id}`, { tenantId: survey.tenantId });
    expect(read.body).toMatchObject({ data, link_id: linkId, language: 'de' });
  });

  it.each([
    ['does not exist', {}, 404, 'LINK_NOT_FOUND', randomUUID()],
    ['is inactive', { active: false }, 404, 'LINK_NOT_FOUND', undefined],
    ['has expired', { expiresAt: new Date(Date.now() - 1) }, 410, 'LINK_EXPIRED', undefined],
    ['needs a token', { singleUse: true, tokenKey }, 403, 'LINK_TOKEN_WRONG', undefined],
  ] as const)('is rejected if the link %s', async (_case, given, status, code, unknown) => {
    const survey = app.survey.add();
    const { slug } = app.survey.addLink(survey, given);
    expect(await submit(unknown ?? slug)).toMatchObject({ status, body: { code } });
    expect(await app.responses.countDocuments({ survey_id: survey.surveyId })).toBe(0);
  });

  it.each([
    [{ status: 'draft' }, 404, 'SURVEY_NOT_FOUND'],
    [{ status: 'closed' }, 409, 'SURVEY_CLOSED'],
    [{ settings: { opensAt: new Date(Date.now() + 60_000) } }, 409, 'SURVEY_NOT_OPEN_YET'],
  ] as const)('is rejected if the survey is %j', async (given, status, code) => {
    const { slug } = app.survey.addLink(app.survey.add(given));
    expect(await submit(slug)).toMatchObject({ status, body: { code } });
  });

  it('is validated like any other', async () => {
    const { slug } = app.survey.addLink(app.survey.add());
    expect(await submit(slug, {}, { data: {} })).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS' } });
    expect(await submit(slug, {}, { data, language: 'fr' })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: '/language', code: 'UNDECLARED_LANGUAGE' }] },
    });
  });

  it('needs the password, or a pass', async () => {
    const passwordHash = await createPasswordHasher().hashPassword('secret');
    const { slug } = app.survey.addLink(app.survey.add(), { passwordHash });
    expect(await submit(slug)).toMatchObject({ status: 403, body: { code: 'LINK_PASSWORD_WRONG' } });
    const first = await submit(slug, { 'link-password': 'secret' });
    expect(first.status).toBe(201);
    const pass = first.headers.get('link-token') ?? '';
    expect((await submit(slug, { 'link-token': pass })).status).toBe(201);
  });

  it('works during an outage of the survey service, even after a restart', async () => {
    const { slug } = app.survey.addLink(app.survey.add());
    expect((await visit(slug)).status).toBe(200);
    await app.withoutSurvey(async () => {
      expect((await submit(slug)).status).toBe(201);
      await app.restart();
      expect((await submit(slug)).status).toBe(201);
    });
  });

  it('returns its first reply for its key, even after the link expired; the key is another one on another link', async () => {
    const survey = app.survey.add();
    const { slug } = app.survey.addLink(survey);
    const { slug: other } = app.survey.addLink(survey);
    const key = { 'idempotency-key': randomUUID() };
    const first = await submit(slug, key);
    const again = await submit(slug, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect((await submit(slug, key, { data: { ate: 'no' } })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const elsewhere = [await submit(other, key), await app.submit(survey.surveyId, { data }, key)];
    expect(new Set([first, ...elsewhere].map(({ body }) => body.id)).size).toBe(3);
    app.survey.setLink(slug, { expiresAt: new Date() });
    await poll(async () => (await submit(slug)).status === 410);
    expect((await submit(slug, key)).body).toEqual(first.body);
  });
});

describe('a token of a single-use link', () => {
  const withToken = (one: string, more: Sent = {}): Sent => ({ 'link-token': one, ...more });

  it('is used up by the first response, also one in progress, and other tokens are not', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { singleUse: true, tokenKey });
    expect((await visit(slug, withToken(token))).status).toBe(200);
    const begun = await submit(slug, withToken(token), { status: 'in_progress', data: {} });
    expect(begun.body).toMatchObject({ status: 'in_progress', resume_token: expect.any(String) });
    const usedUp = { status: 410, body: { code: 'LINK_USED_UP' } };
    expect(await visit(slug, withToken(token))).toMatchObject(usedUp);
    expect(await submit(slug, withToken(token))).toMatchObject(usedUp);
    expect(await submit(slug, withToken(token), { data: {} })).toMatchObject(usedUp);
    const finished = await app.call('PATCH', `/v1/public/responses/${begun.body.id}`, {
      headers: { 'resume-token': begun.body.resume_token },
      body: { status: 'completed', data },
    });
    expect(finished.body.status).toBe('completed');
    expect((await visit(slug, withToken(otherToken))).status).toBe(200);
    expect((await submit(slug, withToken(otherToken))).status).toBe(201);
  });

  it('is not used up by a rejected response, and returns the first reply for a repeated request with its key', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { singleUse: true, tokenKey });
    const key = withToken(token, { 'idempotency-key': randomUUID() });
    expect((await submit(slug, key, { data: {} })).status).toBe(422);
    const first = await submit(slug, key);
    expect(first.status).toBe(201);
    const again = await submit(slug, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect((await submit(slug, key, { data: { ate: 'no' } })).body.code).toBe('LINK_USED_UP');
    expect((await submit(slug, withToken(token, { 'idempotency-key': randomUUID() }))).body.code).toBe('LINK_USED_UP');
  });

  it('stays used up if its response is deleted', async () => {
    const { tenantId, ...survey } = app.survey.add();
    const { slug } = app.survey.addLink({ ...survey, tenantId }, { singleUse: true, tokenKey });
    const { id } = (await submit(slug, withToken(token))).body;
    await app.call('DELETE', `/v1/responses/${id}`, { tenantId, permissions: ['responses:delete'] });
    const usedUp = { status: 410, body: { code: 'LINK_USED_UP' } };
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
    await poll(async () => (await app.responses.findOne({ _id: id }))?.outbox.length === 0);
    const deleted = createDeletedResponseStore({
      collection: app.responses,
      windows: createTestWindows(app.db),
      slices: createTestSlices(app.db),
      onEvent: () => {},
    });
    while (await deleted.deleteTombstones(new Date()));
    expect([await visit(slug, withToken(token)), await submit(slug, withToken(token))]).toMatchObject([usedUp, usedUp]);
    expect((await app.call('GET', `/v1/responses/${id}`, { tenantId })).status).toBe(404);
    const list = await app.call('GET', `/v1/surveys/${survey.surveyId}/responses`, { tenantId });
    expect(list.body).toEqual([]);
  });
});

/** Starts a response through a link, and returns a function that completes it. */
async function begin(slug: string) {
  const { body } = await submit(slug, {}, { status: 'in_progress', data });
  return () =>
    app.call('PATCH', `/v1/public/responses/${body.id}`, {
      headers: { 'resume-token': body.resume_token },
      body: { status: 'completed' },
    });
}

describe('a link with a response limit', () => {
  it('rejects visitors when the limit is reached', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { maxResponses: 1 });
    const finish = await begin(slug);
    expect((await visit(slug)).status).toBe(200);
    expect((await submit(slug)).status).toBe(201);
    await poll(async () => (await visit(slug)).body.code === 'LINK_USED_UP');
    expect(await finish()).toMatchObject({ status: 410, body: { code: 'LINK_USED_UP' } });
    app.survey.setLink(slug, { maxResponses: 2 });
    await poll(async () => (await finish()).status === 200);
  });

  it('keeps its limit if its slug is given to another link', async () => {
    const { slug } = app.survey.addLink(app.survey.add(), { maxResponses: 1 });
    const [first, second] = [await begin(slug), await begin(slug)];
    const passwordHash = await createPasswordHasher().hashPassword('secret');
    app.survey.setLink(slug, { slug: randomUUID() });
    const { linkId } = app.survey.addLink(app.survey.add(), { slug, passwordHash });
    await poll(async () => (await visit(slug)).status === 403);
    expect((await app.links.find({ slug, active: true }).toArray()).map(({ link_id }) => link_id)).toEqual([linkId]);
    expect((await first()).status).toBe(200);
    expect(await second()).toMatchObject({ status: 410, body: { code: 'LINK_USED_UP' } });
  });
});
