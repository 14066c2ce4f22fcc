import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiWalk, type Call, codesOf, createApiWalk, isPublic, operations } from '../support/api/api-walk.ts';
import { createConformance } from '../support/api/conformance.ts';
import { startGatewayBesideStack } from '../support/faults/processes-beside-stack.ts';
import { type Api, createApi, createTenant, type Reply, type TestTenant, tokenFor } from '../support/platform.ts';
import { createConflicts, invalidCallOf } from './api-conflicts.ts';

// The platform gives every reply that the API document describes, and the client of these tests rejects any other one.
// Rate limits, and failures that requests cannot cause, have tests of their own.

let tenant: TestTenant;
let walk: ApiWalk;
let token: string;
/** The permissions of the new key in the example of `createApiKey`. */
const GRANTED_IN_EXAMPLE = ['responses:export', 'surveys:read'];
const restricted = new Map<string, Promise<Api>>();

const UPLOADS = ['uploadPublicFile', 'uploadLinkFile'];
/** Operations that need records in another state, which later tests bring about. */
const LATER = ['cancelReplay', 'restoreSurvey', 'closeSurvey'];
const anonymous = () => createApi();
/** Respondents have no token. */
const byOf = (operation: { readonly path: string }): Call => (isPublic(operation) ? { api: anonymous() } : {});

beforeAll(async () => {
  tenant = await createTenant();
  token = await tokenFor(tenant.tenantId, tenant.userId);
  walk = createApiWalk(tenant.api);
  await walk.makeRecords();
});

/** A client that has only these permissions. */
function keyWith(...permissions: readonly string[]): Promise<Api> {
  const name = permissions.join(', ');
  const known = restricted.get(name);
  if (known !== undefined) return known;
  const body = { name, permissions };
  const made = walk.call('createApiKey', { body }).then((reply) => createApi(reply.body.secret));
  restricted.set(name, made);
  return made;
}

describe('a request with something wrong', () => {
  it.each(operations)('is rejected by $operationId as documented', async (operation) => {
    const { operationId, fields, responses } = operation;
    const by = byOf(operation);
    const can = (status: number) => Object.hasOwn(responses, status);
    const expectStatus = async (status: number, change: Call) =>
      expect([(await walk.call(operationId, { ...by, ...change })).status, change]).toEqual([status, change]);

    await expectStatus(400, { query: 'surprise=1' });
    if (can(401)) await expectStatus(401, { api: anonymous() });
    const useless = operationId === 'listAuditEvents' ? 'surveys:read' : 'audit:read';
    if (can(403) && !isPublic(operation)) await expectStatus(403, { api: await keyWith(useless) });
    const path = Object.fromEntries(fields.map((name) => [name, randomUUID()]));
    if (fields.length > 0) await expectStatus(404, { path });
    if (can(406)) await expectStatus(406, { headers: { accept: 'text/csv' } });
    if (can(412)) await expectStatus(412, { headers: { 'if-match': '"0"' } });
    if (can(413)) expect(await walk.announceTooMuch(operationId, token)).toBe(413);
    const strange = UPLOADS.includes(operationId) ? { 'content-encoding': 'gzip' } : { 'content-type': 'text/plain' };
    if (can(415)) await expectStatus(415, { headers: strange });
    const invalid = can(422) ? invalidCallOf(operation) : undefined;
    if (invalid !== undefined) await expectStatus(422, invalid);
  });

  /**
   * A request that differs from the usual one: from a caller with fewer permissions, or with another body if the caller
   * is anonymous.
   */
  async function otherCall(operationId: string, description: string): Promise<Call> {
    if (UPLOADS.includes(operationId)) return { body: 'about you' };
    if (/Response$/.test(operationId)) return { body: { data: { satisfaction: 'unhappy' } } };
    const permission = /permission `([\w:-]+)`/.exec(description)?.[1] ?? '';
    // A key can only grant permissions that it has.
    return { api: await keyWith(permission, ...(operationId === 'createApiKey' ? GRANTED_IN_EXAMPLE : [])) };
  }

  it.each(operations.filter((operation) => codesOf(operation, '409').includes('IDEMPOTENCY_KEY_REUSED')))(
    'is rejected by $operationId when its key stands for another one',
    async ({ operationId, description }) => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await walk.call(operationId, { headers });
      expect([200, 201, 202]).toContain(first.status);
      const other = await walk.call(operationId, { ...(await otherCall(operationId, description)), headers });
      expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    },
  );
});

describe('a record in another state', () => {
  const conflicts = () => createConflicts(walk, tenant);

  it('keeps its last owner', () => conflicts().ofAccount());
  it('is no survey that can be published, closed, restored or replaced so', () => conflicts().ofSurveys());
  it('is a project with surveys', () => conflicts().ofProjects());
  it('has the slug already', () => conflicts().ofLinks());
  it('is switched off, or over', () => conflicts().ofWebhooks());
  it('is a cursor that is too old', () => conflicts().ofChanges());
  it('lets no respondent in', () => conflicts().ofRespondents());
  it('is gone for those who come back', () => conflicts().ofReturningRespondents());
  it('is more than can be sampled', () => conflicts().ofSamples());
});

describe('a request with nothing wrong', () => {
  it.each(operations.filter(({ verb }) => verb === 'GET'))(
    'gets a reply from $operationId',
    async ({ operationId, responses }) => {
      if (operationId === 'getSurveyDraft') await walk.call('replaceSurvey', { query: 'draft=true' });
      const { status, headers } = await walk.call(operationId);
      expect(status).toBe(200);
      if (!Object.hasOwn(responses, '304')) return;
      const again = await walk.call(operationId, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    },
  );

  it('is carried out by every operation that changes something', async () => {
    for (const operation of operations) {
      const { operationId, verb, responses } = operation;
      if (['GET', 'DELETE'].includes(verb) || LATER.includes(operationId)) continue;
      if (walk.requestsOf(operationId).length > 0) continue;
      const { status } = await walk.call(operationId, byOf(operation));
      const documented = Object.keys(responses).filter((code) => code.startsWith('2'));
      expect([operationId, documented]).toEqual([operationId, expect.arrayContaining([String(status)])]);
    }
  });

  it('is carried out immediately, or tried only, where an import asks for that', async () => {
    const questions = [{ id: 'why', type: 'text', title: 'Why?' }];
    const importing = { source: 'custom', format: 'json', data: { survey: { title: 'x', questions } } };
    expect((await walk.call('importSurvey')).status).toBe(201);
    const tried = { body: { ...importing, options: { dry_run: true } } };
    expect((await walk.call('importSurvey', tried)).status).toBe(200);
    expect((await walk.call('importResponses')).status).toBe(200);
  });

  it('ends a replay that runs', async () => {
    const cancelled = await poll(async () => {
      const { body } = await walk.call('replayWebhook', { body: { statuses: ['delivered', 'failed'] } });
      const { status } = await walk.call('cancelReplay', { path: { replay_id: body.id ?? randomUUID() } });
      return status === 200;
    });
    expect(cancelled).toBe(true);
  });

  it('takes records away', async () => {
    const deletions = operations.filter(({ verb }) => verb === 'DELETE').map(({ operationId }) => operationId);
    for (const operationId of deletions.filter((one) => one !== 'deleteSurvey'))
      expect([operationId, (await walk.call(operationId)).status]).toEqual([operationId, 204]);
    await walk.call('createResponse', { body: { data: { satisfaction: 'unhappy' } } });
    const { body: plan } = await walk.call('planResponseDeletion');
    const confirmed = { path: { plan_id: plan.plan_id }, body: { expected_count: plan.count } };
    expect(await walk.call('deletePlannedResponses', confirmed)).toMatchObject({
      status: 200,
      body: { complete: true },
    });
    expect((await walk.call('replaceSurvey')).status).toBe(200);
    expect((await walk.call('deleteSurvey')).status).toBe(204);
    for (const operationId of ['restoreSurvey', 'publishSurvey', 'closeSurvey'])
      expect([operationId, (await walk.call(operationId)).status]).toEqual([operationId, 200]);
  });
});

/** Operations that have no audit event, although they are not safe, each with its reason. */
const UNAUDITED: Readonly<Record<string, string>> = {
  planResponseDeletion: 'deletes nothing',
  cancelImport: 'the end of an import is audited, and those of these tests have ended before',
  testWebhook: 'sends a delivery',
  replayWebhook: 'sends deliveries',
  cancelReplay: 'sends fewer deliveries',
  redeliverDelivery: 'sends a delivery',
};

describe('the audit', () => {
  const audited = operations
    .filter((operation) => operation.verb !== 'GET' && operation['x-safe'] !== true && !isPublic(operation))
    .map(({ operationId }) => operationId)
    .filter((operationId) => !Object.hasOwn(UNAUDITED, operationId));

  it('has an event of every operation that changes records', async () => {
    await poll(async () => {
      const { body } = await walk.call('listAuditEvents', { query: 'limit=1000' });
      const shown = new Set(body.map(({ request_id }: { readonly request_id: string }) => request_id));
      const missing = audited.filter((operationId) => !walk.requestsOf(operationId).some((id) => shown.has(id)));
      expect(missing).toEqual([]);
      return true;
    });
  });
});

describe('a page outside of the API', () => {
  const pages = ['/health', '/metrics'] as const;
  const seen = new Set<string>();
  /**
   * One whose operator lets only Prometheus see the metrics, that does not find the import service, and has no time.
   */
  let closed: Awaited<ReturnType<typeof startGatewayBesideStack>>;
  beforeAll(async () => {
    closed = await startGatewayBesideStack('gateway-closed', {
      METRICS_TOKEN: 'scrape-me',
      IMPORT_ADMIN_URL: 'http://127.0.0.1:9',
      CLIENT_UNLIMITED_RANGES: '',
      CLIENT_PUBLIC_REQUESTS_PER_MINUTE: '6',
    });
  });
  afterAll(() => closed.close());

  async function show(path: string, api: Api = anonymous()): Promise<Reply> {
    const reply = await api('GET', path);
    seen.add(`${path} ${reply.status}`);
    return reply;
  }

  it.each([
    ['/health', 'application/json'],
    ['/metrics', 'text/plain'],
  ] as const)('%s is as the document says, and asks for no token of the API', async (path, type) => {
    const { status, headers } = await show(path);
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(document.paths[path].get.security).toEqual([]);
  });

  it.each(pages)('%s is rejected as the document says', async (path) => {
    const { hostname, port } = new URL(inject('stack').gateway);
    const request = sendRequest({ hostname, port, path, setHost: false, agent: false }).end();
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    const body = await json(reply);
    expect(reply.statusCode).toBe(400);
    createConformance()('GET', path, {
      status: 400,
      headers: new Headers(reply.headers as Record<string, string>),
      body,
    });
    seen.add(`${path} 400`);
  });

  it('reports failures as the document says', async () => {
    const { status, body } = await show('/health', createApi(undefined, closed.url));
    expect([status, body.status]).toEqual([503, 'unhealthy']);
  });

  it('shows no metrics by default, as the document says', async () => {
    const gateway = await startGatewayBesideStack('gateway-without-metrics', { METRICS_PAGE: 'off' });
    const { status } = await show('/metrics', createApi(undefined, gateway.url));
    await gateway.close();
    expect(status).toBe(404);
  });

  it('shows metrics to nobody without their token, and not too often, as the document says', async () => {
    const api = createApi(undefined, closed.url);
    const replies = await Promise.all(Array.from({ length: 7 }, () => show('/metrics', api)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it('has no other status in the document but that of a defect', () => {
    const documented = pages.flatMap((path) =>
      Object.keys(document.paths[path].get.responses).map((status) => `${path} ${status}`),
    );
    expect(documented.filter((status) => !seen.has(status))).toEqual(pages.map((path) => `${path} 5XX`));
  });
});

describe('the document', () => {
  it('describes no status that no request got', () => {
    expect(walk.unseen()).toEqual([]);
  });
});
