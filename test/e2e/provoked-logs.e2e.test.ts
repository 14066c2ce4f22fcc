import { randomBytes, randomUUID } from 'node:crypto';
import { connectOperator } from '@survey/local/operator/operator-client';
import { toPaths } from '@survey/local/stack/folder';
import { loadKey, toKeyFiles } from '@survey/local/stack/keys';
import { createTokenMinter } from '@survey/runtime/auth/internal-token';
import { fetchSpans } from '@survey/runtime/testing/otlp-collector';
import { poll } from '@survey/runtime/testing/poll';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { lunchSurvey, PRIVATE } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

// Errors are logged, so these tests cause errors with private content. The scan in support/log-scan.ts checks the logs
// after all tests.

let tenant: TestTenant;
let api: Api;
let token: string;
let surveyId: string;

beforeAll(async () => {
  tenant = await createTenant();
  api = tenant.api;
  token = await tokenFor(tenant.tenantId, tenant.userId);
  surveyId = (await api('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
  await api('POST', `/v1/surveys/${surveyId}/publish`);
});

describe('tokens that are rejected', () => {
  const withPayload = (changed: string) => token.replace(/\.[^.]+\./, `.${changed}.`);

  it.each([
    ['of another payload', () => withPayload(Buffer.from(`{"sub":"${PRIVATE}"}`).toString('base64url'))],
    ['with a payload that is no JSON', () => withPayload(Buffer.from(PRIVATE).toString('base64url'))],
    ['with a member twice', () => withPayload(Buffer.from(`{"sub":"${PRIVATE}","sub":"a"}`).toString('base64url'))],
    ['without a signature', () => token.slice(0, token.lastIndexOf('.') + 1)],
    ['that are invalid', () => `${PRIVATE}.${PRIVATE}.${PRIVATE}`],
    ['of a user that is not there', () => tokenFor(tenant.tenantId, PRIVATE)],
    ['of a tenant that is not there', () => tokenFor(randomUUID(), tenant.userId)],
  ])('are those %s', async (_, make) => {
    expect(await createApi(await make())('GET', '/v1/surveys')).toMatchObject({ status: 401 });
  });

  it('are deleted and unknown API keys', async () => {
    const body = { name: PRIVATE, permissions: ['surveys:read'] };
    const { body: key } = await api('POST', '/v1/api-keys', { body });
    expect(await createApi(key.secret)('GET', '/v1/surveys')).toMatchObject({ status: 200 });
    expect(await createApi(key.secret)('POST', '/v1/surveys', { body: lunchSurvey })).toMatchObject({ status: 403 });
    expect(await api('DELETE', `/v1/api-keys/${key.id}`)).toMatchObject({ status: 204 });
    for (const secret of [`${key.secret}x`, `svk_${randomBytes(32).toString('base64url')}`, `svk_${PRIVATE}`])
      expect(await createApi(secret)('GET', '/v1/surveys')).toMatchObject({ status: 401 });
    await poll(async () => (await createApi(key.secret)('GET', '/v1/surveys')).status === 401);
  });

  it('are tokens in the wrong place', async () => {
    expect(await api('GET', `/v1/surveys?access_token=${token}`)).toMatchObject({ status: 400 });
    const headers = { cookie: `token=${token}`, 'x-api-key': PRIVATE, 'proxy-authorization': `Bearer ${token}` };
    expect(await createApi()('GET', '/v1/surveys', { headers })).toMatchObject({ status: 401 });
  });

  it('are internal tokens for another service', async () => {
    const privateKey = await loadKey(toKeyFiles(toPaths(inject('stackFolder')).keys).internalKeyOf('gateway'));
    const minter = await createTokenMinter({ service: 'gateway', privateKey });
    const internal = await minter.mint('survey', { tenantId: tenant.tenantId, subject: tenant.userId });
    expect(await createApi(internal)('GET', '/v1/surveys')).toMatchObject({ status: 401 });
    for (const given of [`${internal}x`, token, PRIVATE]) {
      const { http } = inject('stack').services['response'] ?? {};
      const { status } = await fetch(`${http}/v1/surveys`, { headers: { authorization: `Bearer ${given}` } });
      expect([401, 404]).toContain(status);
    }
  });
});

describe('rejected bodies', () => {
  it.each([
    ['are no JSON', 400, `{"status":"${PRIVATE}`],
    ['have unknown members', 400, { [PRIVATE]: PRIVATE, data: {} }],
    ['have a member twice', 400, `{"data":{"${PRIVATE}":1},"data":{}}`],
    ['have a name that is not allowed', 400, `{"data":{"__proto__":"${PRIVATE}"}}`],
    ['have wrong types', 400, { data: PRIVATE }],
    ['have answers that do not fit', 422, { data: { came: PRIVATE, taste: PRIVATE, [PRIVATE]: PRIVATE } }],
    ['come from another version', 422, { data: { came: 'no', comment: PRIVATE }, survey_version: 9 }],
  ])('are answers that %s', async (_, status, body) => {
    expect(await createApi()('POST', `/v1/public/surveys/${surveyId}/responses`, { body })).toMatchObject({ status });
    expect(await api('POST', `/v1/surveys/${surveyId}/responses`, { body })).toMatchObject({ status });
  });

  it('are invalid definitions and unreadable files', async () => {
    const survey = { title: PRIVATE, pages: [{ questions: [{ id: 'a', type: PRIVATE, title: PRIVATE }] }] };
    expect(await api('POST', '/v1/surveys', { body: { ...lunchSurvey, survey } })).toMatchObject({ status: 422 });
    const csv = `question_id,question_type,${PRIVATE}\n"${PRIVATE}`;
    const file = { source: 'custom', format: 'csv', data: csv, options: { title: PRIVATE } };
    expect(await api('POST', '/v1/surveys/import', { body: file })).toMatchObject({ status: 422 });
  });

  it('are rows of an import', async () => {
    const responses = [
      { id: PRIVATE, submitted_at: PRIVATE, answers: [{ question_id: 'came', value: 'no' }] },
      { id: `${PRIVATE} 2`, submitted_at: '2026-01-02T03:04:05Z', answers: [{ question_id: PRIVATE, value: PRIVATE }] },
      { id: `${PRIVATE} 3`, submitted_at: '2026-01-02T03:04:05Z', answers: [{ question_id: 'came', value: PRIVATE }] },
    ];
    const body = { format: 'json', responses };
    const { body: report } = await api('POST', `/v1/surveys/${surveyId}/responses/import`, { body });
    expect(report).toMatchObject({ total: 3, imported: 0 });
  });

  it('are different bodies with the same idempotency key', async () => {
    const path = `/v1/public/surveys/${surveyId}/responses`;
    const submit = (key: string, comment: string) =>
      createApi()('POST', path, {
        headers: { 'idempotency-key': key },
        body: { status: 'completed', data: { came: 'no', comment } },
      });
    const key = randomUUID();
    expect(await submit(key, PRIVATE)).toMatchObject({ status: 201 });
    expect(await submit(key, `${PRIVATE}!`)).toMatchObject({ status: 409 });
    expect(await submit(PRIVATE, PRIVATE)).toMatchObject({ status: 400 });
  });
});

describe('conditions on responses', () => {
  const on = (source: object, value: unknown) => ({ conditions: [{ ...source, operator: 'equals', value }] });

  it.each([
    ['are tested with answers', 200, on({ source_question: 'comment' }, PRIVATE)],
    ['are tested with metadata', 200, on({ source: `metadata.${PRIVATE}` }, PRIVATE)],
    ['have unknown options', 422, on({ source_question: 'came' }, PRIVATE)],
    ['have unknown questions', 422, on({ source_question: PRIVATE }, PRIVATE)],
    ['have unknown members', 422, { ...on({ source_question: 'came' }, 'yes'), [PRIVATE]: PRIVATE }],
  ])('that %s', async (_, status, where) => {
    const query = `where=${encodeURIComponent(JSON.stringify(where))}`;
    for (const path of ['responses', 'responses/count', 'responses/export', 'summary', 'questions/comment/answers']) {
      expect(await api('GET', `/v1/surveys/${surveyId}/${path}?${query}`)).toMatchObject({ status });
      expect(await api('POST', `/v1/surveys/${surveyId}/${path}/query`, { body: { where } })).toMatchObject({ status });
    }
    const deletions = `/v1/surveys/${surveyId}/responses/deletions`;
    const { status: planned, body: plan } = await api('POST', deletions, { body: { where, dry_run: true } });
    expect(planned).toBe(status);
    if (status !== 200) return;
    const confirmed = { body: { expected_count: plan.count } };
    expect(await api('POST', `${deletions}/${plan.plan_id}`, confirmed)).toMatchObject({
      status,
      body: { complete: true },
    });
  });
});

describe('answers, metadata and conditions', () => {
  it('are in no span and no audit event', async () => {
    // The scan of the logs finds it, too.
    const marker = `${PRIVATE}-${randomUUID()}`;
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-00` };
    const call = async (method: string, path: string, body?: object) => {
      const reply = await api(method, path, { headers, ...(body && { body }) });
      expect([method, path, reply.status < 300]).toEqual([method, path, true]);
      return reply.body;
    };
    const responses = `/v1/surveys/${surveyId}/responses`;
    const given = { data: { came: 'no', comment: marker }, metadata: { tag: marker } };
    const { id } = await call('POST', responses, given);
    await call('PATCH', `/v1/responses/${id}`, {
      data: { comment: `${marker}!` },
      metadata: { tag: `${marker}!` },
    });
    const contains = { operator: 'contains', value: marker };
    const where = {
      conditions: [
        { source_question: 'comment', ...contains },
        { source: 'metadata.tag', ...contains },
        { source: 'language', operator: 'not_equals', value: marker },
      ],
    };
    const query = new URLSearchParams({ where: JSON.stringify(where) });
    for (const path of [responses, `${responses}/count`, `${responses}/export`, `/v1/surveys/${surveyId}/summary`]) {
      await call('GET', `${path}?${query}`);
      await call('POST', `${path}/query`, { where });
    }
    const { plan_id, count } = await call('POST', `${responses}/deletions`, { where, dry_run: true });
    expect(count).toBe(1);
    await call('POST', `${responses}/deletions/${plan_id}`, { expected_count: count });

    const actions = ['response.created', 'response.updated', 'responses.deleted'];
    const audit = await poll(async () => {
      const { body } = await api('GET', '/v1/audit-events?limit=1000');
      return (
        actions.every((action) => body.some((event: { readonly action: string }) => event.action === action)) && body
      );
    });
    expect(JSON.stringify(audit)).not.toContain(marker);
    const collector = inject('collector');
    // A cluster has no collector.
    if (collector === '') return;
    const spans = await poll(async () => {
      const found = await fetchSpans(collector, traceId);
      return found.some(({ name }) => name.endsWith('/deletions/{plan_id}')) && found;
    });
    expect(spans.map(({ raw }) => raw).join()).not.toContain(marker);
  });
});

describe('unknown paths', () => {
  it.each([
    `/v1/surveys/${PRIVATE}`,
    `/v1/responses/${PRIVATE}`,
    `/v1/public/surveys/${PRIVATE}`,
    `/v1/${PRIVATE}`,
    `/v1/surveys?cursor=${PRIVATE}`,
    `/v1/surveys?${PRIVATE}=1`,
  ])('such as %s', async (path) => {
    expect((await api('GET', path)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('users whose e-mail address is taken', () => {
  it('are rejected', async () => {
    const operator = await connectOperator(
      toPaths(inject('stackFolder')).keys,
      inject('stack').services['identity']?.grpc ?? '',
    );
    try {
      const user = { tenantId: tenant.tenantId, email: `${PRIVATE}@example.org`, role: 'viewer', permissions: [] };
      await operator.addUser(user);
      await expect(operator.addUser(user)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      await expect(operator.addUser({ ...user, role: PRIVATE })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    } finally {
      operator.close();
    }
  });
});

describe('webhooks', () => {
  it.each([`http://${PRIVATE}:pass@127.0.0.1/`, `ftp://127.0.0.1/${PRIVATE}`, PRIVATE, `http://10.0.0.1/${PRIVATE}`])(
    'cannot go to %s',
    async (url) => {
      expect(await api('POST', '/v1/webhooks', { body: { url, event_types: ['*'] } })).toMatchObject({ status: 422 });
    },
  );

  it('are sent to a closed port, with a secret of the tenant', async () => {
    const url = `http://127.0.0.1:9/${PRIVATE}?key=${PRIVATE}`;
    const secret = `${PRIVATE} ${randomUUID()}`;
    const body = { url, event_types: ['survey.created'], description: PRIVATE, secret };
    const webhook = await api('POST', '/v1/webhooks', { body });
    expect(webhook).toMatchObject({ status: 201 });
    await api('POST', '/v1/surveys', { body: lunchSurvey });
    await poll(async () => {
      const deliveries = await api('GET', `/v1/webhooks/${webhook.body.id}/deliveries`);
      return deliveries.body[0]?.attempts.length > 0;
    });
  });
});
