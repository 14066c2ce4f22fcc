import { randomBytes, randomUUID } from 'node:crypto';
import { toLinkTokens } from '@survey/runtime/auth/link-token';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { poll } from '@survey/runtime/testing/poll';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestLink } from '../testing/fake-survey-service.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { testDefinition } from '../testing/test-definition.ts';

let app: TestApp;
let passwordHash: string;

const password = 'Zoe, 100%41 sure';
const tokenKey = randomBytes(32);
const [token = '', otherToken = ''] = toLinkTokens(tokenKey, 'batch', 2);

beforeAll(async () => {
  app = await startResponseApp();
  passwordHash = await createPasswordHasher().hashPassword(password);
});
afterAll(() => app.close());

type Sent = Readonly<Record<string, string>>;

const visit = (slug: string, headers: Sent = {}) => app.call('GET', `/v1/public/links/${slug}`, { headers });

function addLink(given: Partial<TestLink> = {}): TestLink {
  return app.survey.addLink(app.survey.add(), given);
}

const withPassword = (text: string): Sent => ({ 'link-password': text });
const withTokens = (...tokens: readonly string[]): Sent => ({ 'link-token': tokens.join(', ') });

describe('a link', () => {
  it('shows its survey, cacheable for a second, and sends the tenant to the gateway', async () => {
    const { slug, surveyId, tenantId } = addLink();
    const { status, headers, body } = await visit(slug);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: surveyId,
      version: 1,
      survey_version: 1,
      definition: testDefinition,
      languages: ['en', 'de'],
      metadata_fields: [],
      slug,
    });
    expect(headers.get('cache-control')).toBe('public, max-age=1');
    expect(headers.get('x-survey-tenant')).toBe(tenantId);
    expect(headers.get('link-token')).toBeNull();
    expect((await visit(slug, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  });

  it('opens under a former slug, too, even during an outage, and names the current one', async () => {
    const former = `former-${randomUUID()}`;
    const { slug, linkId } = addLink({ formerSlugs: [former] });
    const expected = { status: 200, body: { slug } };
    expect(await visit(former)).toMatchObject(expected);
    const submitted = await app.call('POST', `/v1/public/links/${former}/responses`, { body: { data: { ate: 'no' } } });
    expect(submitted.status).toBe(201);
    expect(await app.responses.findOne({ _id: submitted.body.id })).toMatchObject({ link_id: linkId });
    await app.survey.stop();
    try {
      expect(await visit(former)).toMatchObject(expected);
    } finally {
      await app.survey.start();
    }
    // End the former slug. The current slug stays.
    app.survey.setLink(slug, { formerSlugs: [] });
    await poll(async () => (await visit(former)).status === 404);
    expect((await visit(slug)).status).toBe(200);
  });

  it.each(['capitals', 'a full stop', 'a bracket'])('is found with %s in its address', async (name) => {
    const { slug, surveyId } = addLink();
    const typed = { capitals: slug.toUpperCase(), 'a full stop': `${slug}.`, 'a bracket': `${slug}).` }[name] ?? '';
    expect(await visit(typed)).toMatchObject({ status: 200, body: { id: surveyId, slug } });
    const path = `/v1/public/links/${typed}/responses`;
    expect((await app.call('POST', path, { body: { data: { ate: 'no' } } })).status).toBe(201);
  });

  it('gives access to a survey that accepts responses through links only', async () => {
    const survey = app.survey.add({ settings: { access: 'links_only', languages: ['de'] } });
    const { slug } = app.survey.addLink(survey);
    expect(await visit(slug)).toMatchObject({ status: 200, body: { id: survey.surveyId, languages: ['de'] } });
  });

  it.each([
    ['inactive', { active: false }, 404, 'LINK_NOT_FOUND'],
    ['over', { expiresAt: new Date(Date.now() - 1) }, 410, 'LINK_EXPIRED'],
  ])('that is %s is rejected', async (_state, given, status, code) => {
    const { slug, tenantId } = addLink(given);
    const rejected = await visit(slug);
    expect(rejected).toMatchObject({ status, body: { code } });
    expect(rejected.headers.get('x-survey-tenant')).toBe(tenantId);
  });

  it.each([
    [{ status: 'draft' }, 404, 'SURVEY_NOT_FOUND'],
    [{ status: 'deleted' }, 404, 'SURVEY_NOT_FOUND'],
    [{ status: 'closed' }, 409, 'SURVEY_CLOSED'],
    [{ settings: { closesAt: new Date(Date.now() - 1) } }, 409, 'SURVEY_CLOSED'],
    [{ settings: { opensAt: new Date(Date.now() + 60_000) } }, 409, 'SURVEY_NOT_OPEN_YET'],
  ] as const)('to a survey with %j is rejected', async (given, status, code) => {
    const { slug } = app.survey.addLink(app.survey.add(given));
    expect(await visit(slug)).toMatchObject({ status, body: { code } });
  });

  it('does not lead to a survey of another tenant', async () => {
    const { slug } = addLink({ tenantId: randomUUID() });
    expect(await visit(slug)).toMatchObject({ status: 404, body: { code: 'SURVEY_NOT_FOUND' } });
  });

  it.each([randomUUID(), 'x', 'Lunch', 'a%20b', 'a%2Fb', 'x'.repeat(65), '%E6%97%A5'])(
    'that never existed is not found: %s',
    async (slug) => {
      expect(await visit(slug)).toMatchObject({ status: 404, body: { code: 'LINK_NOT_FOUND' } });
    },
  );

  it('expires on time', async () => {
    const { slug } = addLink({ expiresAt: new Date(Date.now() + 4_000) });
    expect((await visit(slug)).status).toBe(200);
    await app.withoutSurvey(async () => {
      await poll(async () => (await visit(slug)).body.code === 'LINK_EXPIRED');
    });
  });

  it('admits visitors immediately after a change that opens it, and none a second after one that closes it', async () => {
    const { slug } = addLink({ active: false });
    expect((await visit(slug)).status).toBe(404);
    app.survey.setLink(slug, { active: true });
    expect((await visit(slug)).status).toBe(200);
    app.survey.setLink(slug, { expiresAt: new Date() });
    await poll(async () => (await visit(slug)).status === 410);
    app.survey.removeLink(slug);
    await poll(async () => (await visit(slug)).status === 404);
    const { surveyId } = app.survey.addLink(app.survey.add(), { slug });
    expect((await visit(slug)).body).toMatchObject({ id: surveyId });
  });
});

describe('a link with a password', () => {
  it.each<[string, () => Sent]>([
    ['no password', () => ({})],
    ['another password', () => withPassword('Zoe, 100A sure')],
    ['an empty password', () => withPassword('')],
    ['a password that cannot be set', () => withPassword('Zo\u00eb')],
    ['an invalid token', () => withTokens(token)],
  ])('rejects a visitor with %s', async (_case, sent) => {
    const { slug } = addLink({ passwordHash });
    const rejected = await visit(slug, sent());
    expect(rejected).toMatchObject({ status: 403, body: { code: 'LINK_PASSWORD_WRONG' } });
    expect(rejected.headers.get('link-token')).toBeNull();
  });

  it('returns a pass for the password, which replaces it from then on, and must not be cached', async () => {
    const { slug, surveyId } = addLink({ passwordHash });
    const first = await visit(slug, withPassword(password));
    expect(first).toMatchObject({ status: 200, body: { id: surveyId } });
    expect(first.headers.get('cache-control')).toBe('no-store');
    const pass = first.headers.get('link-token') ?? '';
    const again = await visit(slug, withTokens(pass));
    expect([again.status, again.headers.get('link-token')]).toEqual([200, null]);
    await app.restart();
    expect((await visit(slug, withTokens(pass))).status).toBe(200);
  });

  it('does not accept the pass for another link, or after a change of the password', async () => {
    const [link, other] = [addLink({ passwordHash }), addLink({ passwordHash })];
    const pass = (await visit(link.slug, withPassword(password))).headers.get('link-token') ?? '';
    expect((await visit(other.slug, withTokens(pass))).status).toBe(403);
    app.survey.setLink(link.slug, { passwordHash: await createPasswordHasher().hashPassword('new one') });
    await poll(async () => (await visit(link.slug, withTokens(pass))).status === 403);
    expect((await visit(link.slug, withPassword('new one'))).status).toBe(200);
  });

  it('accepts a new password immediately', async () => {
    const { slug } = addLink({ passwordHash });
    expect((await visit(slug)).status).toBe(403);
    app.survey.setLink(slug, { passwordHash: await createPasswordHasher().hashPassword('new one') });
    expect((await visit(slug, withPassword('new one'))).status).toBe(200);
  });
});

const from = (address: string, sent: Sent): Sent => ({ 'x-survey-client-address': address, ...sent });

describe('a client that guesses the password of a link', () => {
  it('is rejected after five wrong ones, unless it has a pass, and can guess again if the password changes', async () => {
    const { slug, tenantId } = addLink({ passwordHash });
    const token = (await visit(slug, withPassword(password))).headers.get('link-token') ?? '';
    for (let count = 0; count < 5; count += 1)
      expect((await visit(slug, withPassword(`guess ${count}`))).body.code).toBe('LINK_PASSWORD_WRONG');
    const rejected = await visit(slug, withPassword(password));
    expect(rejected).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(rejected.headers.get('x-survey-tenant')).toBe(tenantId);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visit(slug, withTokens(token))).status).toBe(200);
    app.survey.setLink(slug, { passwordHash: await createPasswordHasher().hashPassword('new one') });
    expect((await visit(slug, withPassword('new one'))).status).toBe(200);
  });

  it('does not block visitors with the right password, even if it comes from many addresses', async () => {
    const { slug } = addLink({ passwordHash });
    const guess = (client: number) => visit(slug, from(`2001:db8:0:${client}::1`, withPassword(`guess ${client}`)));
    // The right password has not been used yet, so each guess is hashed.
    const guesses = Array.from({ length: 5 }, (_, client) => guess(client));
    expect((await visit(slug, from('192.0.2.1', withPassword(password)))).status).toBe(200);
    expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(5).fill(403));
    for (let client = 0; client < 30; client += 1) while ((await guess(client)).status === 403);
    expect((await visit(slug, from('192.0.2.2', withPassword(password)))).status).toBe(200);
  });

  it('does not affect the visitors of other links', async () => {
    const [guessed, other] = [addLink({ passwordHash }), addLink({ passwordHash })];
    const guesses = Array.from({ length: 100 }, (_, index) => visit(guessed.slug, withPassword(`guess ${index}`)));
    expect((await visit(other.slug, from('192.0.2.1', withPassword(password)))).status).toBe(200);
    const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([403, 429]);
  });
});

describe('a single-use link', () => {
  it.each<[string, () => Sent]>([
    ['no token', () => ({})],
    ['a token of another link', () => withTokens(toLinkTokens(randomBytes(32), 'batch', 1)[0] ?? '')],
    ['a modified token', () => withTokens(`${otherToken.slice(0, 22)}${token.slice(22)}`)],
    ['a password', () => withPassword(password)],
  ])('rejects a visitor with %s', async (_case, sent) => {
    const { slug } = addLink({ singleUse: true, tokenKey });
    expect(await visit(slug, sent())).toMatchObject({ status: 403, body: { code: 'LINK_TOKEN_WRONG' } });
  });

  it('accepts each of its tokens, and must not be cached', async () => {
    const { slug, surveyId } = addLink({ singleUse: true, tokenKey });
    for (const one of [token, otherToken]) {
      const { status, headers, body } = await visit(slug, withTokens(one));
      expect([status, headers.get('cache-control'), body.id]).toEqual([200, 'no-store', surveyId]);
    }
  });

  it('with a password needs both, and returns one text for both', async () => {
    const { slug } = addLink({ singleUse: true, tokenKey, passwordHash });
    expect((await visit(slug, withPassword(password))).body.code).toBe('LINK_TOKEN_WRONG');
    expect((await visit(slug, withTokens(token))).body.code).toBe('LINK_PASSWORD_WRONG');
    const admitted = await visit(slug, { ...withTokens(token), ...withPassword(password) });
    expect(admitted.status).toBe(200);
    const both = admitted.headers.get('link-token') ?? '';
    expect((await visit(slug, withTokens(both))).status).toBe(200);
    const [, pass = ''] = both.split(', ');
    expect((await visit(slug, withTokens(pass))).body.code).toBe('LINK_TOKEN_WRONG');
  });
});

describe('during an outage of the survey service', () => {
  it('visited links work, even after a restart', async () => {
    const plain = addLink();
    const locked = addLink({ passwordHash });
    const single = addLink({ singleUse: true, tokenKey });
    const over = addLink({ expiresAt: new Date(Date.now() - 1) });
    const unseen = addLink();
    const statuses = () =>
      Promise.all([
        visit(plain.slug),
        visit(locked.slug, withPassword(password)),
        visit(locked.slug, withPassword('x')),
        visit(single.slug, withTokens(token)),
        visit(single.slug),
        visit(over.slug),
      ]).then((replies) => replies.map(({ status }) => status));
    const expected = [200, 200, 403, 200, 403, 410];
    expect(await statuses()).toEqual(expected);
    await app.withoutSurvey(async () => {
      expect(await statuses()).toEqual(expected);
      await app.restart();
      expect(await statuses()).toEqual(expected);
      expect(await visit(unseen.slug)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    });
  });

  it('a deleted link stays closed after a restart', async () => {
    const { slug } = addLink({ passwordHash });
    expect((await visit(slug, withPassword(password))).status).toBe(200);
    app.survey.removeLink(slug);
    await poll(async () => (await visit(slug, withPassword(password))).status === 404);
    await app.withoutSurvey(async () => {
      await app.restart();
      expect((await visit(slug, withPassword(password))).status).toBe(404);
    });
  });
});

describe('a stored link', () => {
  it('has no secret and no metadata in plain text', async () => {
    const metadata = { campaign: 'marker-of-a-campaign' };
    const { slug, tenantId } = addLink({ singleUse: true, tokenKey, passwordHash, metadata });
    await visit(slug);
    const raw = await app.links.findOne({ slug }, { promoteBuffers: false });
    expect(raw).toMatchObject({ tenant_id: tenantId, single_use: true, active: true });
    const bytes = Buffer.from(BSON.serialize(raw ?? {}));
    expect(bytes.includes(tokenKey)).toBe(false);
    expect(bytes.includes('$scrypt$')).toBe(false);
    expect(bytes.includes('marker')).toBe(false);
  });

  it('has no secrets and no metadata after it is deleted', async () => {
    const { slug } = addLink({ singleUse: true, tokenKey, passwordHash, metadata: { campaign: 'spring' } });
    await visit(slug);
    app.survey.removeLink(slug);
    await visit(slug);
    expect(await app.links.findOne({ slug })).toMatchObject({
      active: false,
      token_key: null,
      password_hash: null,
      metadata: null,
    });
  });
});
