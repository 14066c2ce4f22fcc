import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { beforeAll, describe, expect, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createApi, createTenant, type Reply, type TestTenant } from '../support/platform.ts';

/** An audit event. */
interface Shown {
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly request_id: string;
  readonly created_at: string;
}

let tenant: TestTenant;
/** Texts that must not occur in the audit. */
const secrets: string[] = [];
/** The changes made, with the id of their request. */
const made: { readonly action: string; readonly id: string; readonly requestId: string }[] = [];
let shown: readonly Shown[];

/** Makes a change and records that it must be audited. The record is that of the reply, unless given. */
async function change(action: string, method: string, path: string, body?: unknown, id?: string): Promise<Reply> {
  const requestId = randomUUID();
  const headers = { 'x-request-id': requestId };
  const reply = await tenant.api(method, path, { headers, ...(body === undefined ? {} : { body }) });
  expect([action, reply.status, [200, 201, 204].includes(reply.status)]).toEqual([action, reply.status, true]);
  made.push({ action, id: id ?? reply.body.id, requestId });
  return reply;
}

async function changeTenantAndUsers(): Promise<void> {
  await change('tenant.updated', 'PATCH', '/v1/tenant', { name: 'New name' });
  const { body: user } = await change('user.created', 'POST', '/v1/users', {
    email: 'a@example.org',
    role: 'viewer',
    permissions: ['surveys:write'],
  });
  await change('user.updated', 'PATCH', `/v1/users/${user.id}`, { role: 'editor', permissions: null });
  await change('user.deleted', 'DELETE', `/v1/users/${user.id}`, undefined, user.id);
  const key = { name: 'nightly', permissions: ['surveys:read'] };
  const { body: created } = await change('api_key.created', 'POST', '/v1/api-keys', key);
  secrets.push(created.secret);
  await change('api_key.deleted', 'DELETE', `/v1/api-keys/${created.id}`, undefined, created.id);
}

async function changeSurveys(): Promise<string> {
  const { body: project } = await change('project.created', 'POST', '/v1/projects', { name: 'P' });
  await change('project.updated', 'PATCH', `/v1/projects/${project.id}`, { name: 'Q' });
  const { body: survey } = await change('survey.created', 'POST', '/v1/surveys', lunchSurvey);
  const path = `/v1/surveys/${survey.id}`;
  await change('survey.updated', 'PATCH', path, { project_id: project.id });
  await change('survey.updated', 'PATCH', path, { project_id: null });
  await change('project.deleted', 'DELETE', `/v1/projects/${project.id}`, undefined, project.id);
  await change('survey.draft_saved', 'PUT', `${path}?draft=true`, lunchSurvey, survey.id);
  await change('survey.draft_discarded', 'DELETE', `${path}/draft`, undefined, survey.id);
  await change('survey.published', 'POST', `${path}/publish`);
  await change('survey.created', 'POST', `${path}/duplicate`);
  return survey.id;
}

async function changeLinks(surveyId: string): Promise<void> {
  secrets.push('open sesame', 'open barley');
  const asked = { single_use: true, token_count: 2, password: 'open sesame' };
  const { body: link } = await change('link.created', 'POST', `/v1/surveys/${surveyId}/links`, asked);
  secrets.push(...link.tokens);
  await change('link.updated', 'PATCH', `/v1/links/${link.id}`, { active: false, password: 'open barley' });
  const { body: more } = await change('link.tokens_created', 'POST', `/v1/links/${link.id}/tokens`, {}, link.id);
  secrets.push(...more.tokens);
  await change('link.deleted', 'DELETE', `/v1/links/${link.id}`, undefined, link.id);
}

async function changeTheRest(surveyId: string): Promise<void> {
  await change('response.created', 'POST', `/v1/surveys/${surveyId}/responses`, { data: lunchAnswers });
  secrets.push(lunchAnswers.comment);
  const webhook = { url: 'http://127.0.0.1:9/', event_types: ['import.*'] };
  const { body: registered } = await change('webhook.created', 'POST', '/v1/webhooks', webhook);
  secrets.push(registered.secret);
  await change('webhook.deleted', 'DELETE', `/v1/webhooks/${registered.id}`, undefined, registered.id);
  const file = { format: 'json', responses: [] };
  const requestId = randomUUID();
  const imported = await tenant.api('POST', `/v1/surveys/${surveyId}/responses/import`, {
    body: file,
    headers: { 'x-request-id': requestId },
  });
  expect(imported.status).toBe(200);
  made.push({ action: 'import.completed', id: imported.body.id, requestId });
  await change('survey.closed', 'POST', `/v1/surveys/${surveyId}/close`);
  await change('survey.deleted', 'DELETE', `/v1/surveys/${surveyId}`, undefined, surveyId);
  await change('survey.restored', 'POST', `/v1/surveys/${surveyId}/restore`);
}

const list = async (query = ''): Promise<Reply> => tenant.api('GET', `/v1/audit-events?limit=1000${query}`);
const shownAs = ({ action, id }: (typeof made)[number]) =>
  shown.filter((event) => event.action === action && event.resource_id === id);

beforeAll(async () => {
  tenant = await createTenant();
  await changeTenantAndUsers();
  const surveyId = await changeSurveys();
  await changeLinks(surveyId);
  await changeTheRest(surveyId);
  shown = await poll(async () => {
    const { body } = await list(`&actor=${tenant.userId}`);
    return body.length >= made.length && body;
  });
});

describe('the audit', () => {
  it('shows every change once, with its actor and request', () => {
    expect(shown).toHaveLength(made.length);
    for (const one of made) {
      expect([one.action, shownAs(one).map(({ request_id }) => request_id)]).toEqual([
        one.action,
        expect.arrayContaining([one.requestId]),
      ]);
    }
    expect(new Set(shown.map(({ actor }) => actor))).toEqual(new Set([tenant.userId]));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    const times = shown.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('shows differences', () => {
    const changesOf = (action: string) =>
      shown.filter((event) => event.action === action).map(({ changes }) => changes);
    expect(changesOf('tenant.updated')[0]).toContainEqual({
      path: '/name',
      before: expect.any(String),
      after: 'New name',
    });
    expect(changesOf('user.updated')[0]).toEqual(
      expect.arrayContaining([
        { path: '/role', before: 'viewer', after: 'editor' },
        { path: '/permissions/0', before: 'surveys:write' },
      ]),
    );
    expect(changesOf('user.deleted')[0]).toContainEqual({ path: '/email', before: 'a@example.org' });
    expect(changesOf('project.updated')[0]).toContainEqual({ path: '/name', before: 'P', after: 'Q' });
    expect(changesOf('survey.published')[0]).toContainEqual({ path: '/status', before: 'draft', after: 'active' });
    expect(changesOf('link.updated')[0]).toContainEqual({ path: '/active', before: true, after: false });
    expect(changesOf('webhook.created')[0]).toContainEqual({ path: '/url', after: 'http://127.0.0.1:9/' });
  });

  it('shows no secret, no password, no token and no answer', () => {
    const text = JSON.stringify(shown);
    expect(secrets.filter((secret) => secret.length >= 8)).toHaveLength(8);
    for (const secret of secrets) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it('shows changes by operators', async () => {
    const { body } = await list('&actor=operator');
    expect(body.map(({ action }: Shown) => action)).toEqual(expect.arrayContaining(['user.created', 'tenant.created']));
  });

  it('filters by record, and is hidden from other tenants and users without permission', async () => {
    const [first] = made;
    const { body } = await list(`&resource_id=${first?.id}&resource_type=tenant`);
    expect(body.map(({ action }: Shown) => action)).toContain('tenant.updated');
    const stranger = await createTenant();
    expect((await stranger.api('GET', `/v1/audit-events?resource_id=${first?.id}`)).body).toEqual([]);
    const editor = await tenant.userWith('editor');
    expect((await editor('GET', '/v1/audit-events')).body.detail).toBe("Permission 'audit:read' required");
    expect((await createApi()('GET', '/v1/audit-events')).status).toBe(401);
  });
});
