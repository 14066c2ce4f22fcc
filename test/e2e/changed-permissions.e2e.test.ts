import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

let tenant: TestTenant;
/** The owner, who changes the permissions of an editor. */
let boss: Api;
let editor: Api;
let userId: string;

beforeEach(async () => {
  tenant = await createTenant();
  boss = tenant.api;
  const { body } = await boss('POST', '/v1/users', { body: { email: 'editor@example.org', role: 'editor' } });
  userId = body.id;
  editor = createApi(await tokenFor(tenant.tenantId, userId));
});

const createSurvey = () => editor('POST', '/v1/surveys', { body: lunchSurvey });
const listSurveys = () => editor('GET', '/v1/surveys');
const newToken = () => tokenFor(tenant.tenantId, userId);
const idOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti;

/** Repeats a call until it returns this status, which also keeps the gateway's cache fresh. */
const untilReply = (call: typeof createSurvey, status: number) =>
  poll(async () => {
    const reply = await call();
    return reply.status === status && reply;
  });

async function change(body: { readonly role?: string; readonly permissions?: readonly string[] }): Promise<void> {
  expect((await boss('PATCH', `/v1/users/${userId}`, { body })).status).toBe(200);
}

describe('a change of permissions soon takes effect at the gateway', () => {
  it('when a role is taken away, restored, or a single permission is added', async () => {
    expect((await createSurvey()).status).toBe(201);
    await change({ role: 'viewer' });
    const rejected = await untilReply(createSurvey, 403);
    expect(rejected.body.detail).toBe("Permission 'surveys:write' required");
    expect((await listSurveys()).status).toBe(200);
    await change({ role: 'editor' });
    await untilReply(createSurvey, 201);
    await change({ role: 'viewer' });
    await untilReply(createSurvey, 403);
    await change({ permissions: ['surveys:write'] });
    await untilReply(createSurvey, 201);
  });

  it('when a user is removed', async () => {
    expect((await listSurveys()).status).toBe(200);
    expect((await boss('DELETE', `/v1/users/${userId}`)).status).toBe(204);
    const rejected = await untilReply(listSurveys, 401);
    expect(rejected.body.detail).toBe('Invalid token');
  });

  it('by an API key, when its user loses a permission, and when it is deleted', async () => {
    const body = { name: 'nightly', permissions: ['surveys:read', 'surveys:write', 'keys:read'] };
    expect((await editor('POST', '/v1/api-keys', { body })).status).toBe(403);
    await change({ role: 'admin' });
    const { body: key } = await untilReply(() => editor('POST', '/v1/api-keys', { body }), 201);
    const byKey = createApi(key.secret);
    const { body: me } = await byKey('GET', '/v1/me');
    expect(me).toMatchObject({ user_id: userId, permissions: ['keys:read', 'surveys:read', 'surveys:write'] });
    const write = () => byKey('POST', '/v1/surveys', { body: lunchSurvey });
    expect((await write()).body).toMatchObject({ tenant_id: tenant.tenantId, created_by: userId });
    await change({ role: 'viewer' });
    await untilReply(write, 403);
    const read = () => byKey('GET', '/v1/surveys');
    expect((await read()).status).toBe(200);
    expect((await boss('DELETE', `/v1/api-keys/${key.id}`)).status).toBe(204);
    expect((await untilReply(read, 401)).body.detail).toBe('Invalid token');
  });

  it('when a single token is revoked, by its text or by its id', async () => {
    const { tenantId } = tenant;
    const [first, second, third] = [await newToken(), await newToken(), await newToken()];
    const folder = await mkdtemp(join(tmpdir(), 'revoked-'));
    try {
      await writeFile(join(folder, 'token'), first);
      const revoked = await admin('token', 'revoke', '--tenant', tenantId, '--token-file', join(folder, 'token'));
      expect(revoked).toMatchObject({ tenant_id: tenantId, user_id: userId, token_id: idOf(first) });
    } finally {
      await rm(folder, { recursive: true });
    }
    const tokenId = idOf(second);
    await admin('token', 'revoke', '--tenant', tenantId, '--user', userId, '--token-id', tokenId);
    const list = (token: string) => () => createApi(token)('GET', '/v1/surveys');
    const rejected = await Promise.all([untilReply(list(first), 401), untilReply(list(second), 401)]);
    expect(rejected.map(({ body }) => body.detail)).toEqual(['Invalid token', 'Invalid token']);
    expect((await list(third)()).status).toBe(200);
    const listed = () => boss('GET', '/v1/audit-events?action=token.revoked');
    const events = await poll(async () => {
      const { body } = await listed();
      return body.length === 2 && body;
    });
    expect(events).toMatchObject([{ resource_id: tokenId }, { resource_id: idOf(first) }]);
  });

  it('when a tenant is suspended and comes back', async () => {
    const { body: survey } = await createSurvey();
    await editor('POST', `/v1/surveys/${survey.id}/publish`);
    const key = { name: 'nightly', permissions: ['surveys:read'] };
    const byKey = createApi((await boss('POST', '/v1/api-keys', { body: key })).body.secret);
    const listByKey = () => byKey('GET', '/v1/surveys');
    const submit = () =>
      createApi()('POST', `/v1/public/surveys/${survey.id}/responses`, { body: { data: lunchAnswers } });
    const statuses = async () =>
      (await Promise.all([listSurveys(), listByKey(), submit()])).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200, 201]);

    const suspended = await admin('tenant', 'suspend', '--tenant', tenant.tenantId);
    expect(suspended.tenant.status).toBe('suspended');
    const effects = [untilReply(listSurveys, 401), untilReply(listByKey, 401), untilReply(submit, 409)];
    const details = (await Promise.all(effects)).map(({ body }) => body.detail);
    expect(details).toEqual(['Invalid token', 'Invalid token', 'The survey is closed']);

    await admin('tenant', 'resume', '--tenant', tenant.tenantId);
    const back = [untilReply(listSurveys, 200), untilReply(listByKey, 200), untilReply(submit, 201)];
    await Promise.all(back);
  });
});
