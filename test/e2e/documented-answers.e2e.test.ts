import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Replica, startReplica } from '../load/replica.ts';
import { createConflicts, invalidBodies } from '../support/api-conflicts.ts';
import { type ApiWalk, type Call, createApiWalk, operations, reasonsOf } from '../support/api-walk.ts';
import { createConformance } from '../support/conformance.ts';
import { type Answer, type Api, createApi, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

// Whatever the document says that an operation can answer, it does answer: the client of these tests sees to it that
// nothing else comes, and in the end nothing may be left that never came. What is asked for too often, and what the
// platform cannot help, have tests of their own.

let tenant: TestTenant;
let walk: ApiWalk;
let token: string;
const restricted = new Map<string, Promise<Api>>();

const UPLOADS = ['uploadPublicFile', 'uploadLinkFile'];
const RESUMING = ['getPublicResponse', 'updatePublicResponse'];
const isPublic = ({ path }: { readonly path: string }) => path.startsWith('/v1/public/');
const anonymous = () => createApi();

beforeAll(async () => {
  tenant = await createTenant();
  token = await tokenFor(tenant.tenantId, tenant.userId);
  walk = createApiWalk(tenant.api);
  await makeRecords();
});

/** How an operation wants to be called to come through: with an example where nothing has to be one's own. */
function callOf(operationId: string): Call {
  const { records } = walk;
  const octets = { body: 'about me', headers: { 'content-type': 'application/octet-stream' } };
  if (UPLOADS.includes(operationId)) return { ...octets, query: 'question_id=receipt' };
  if (RESUMING.includes(operationId))
    return {
      path: { response_id: records['begun_id'] ?? '' },
      headers: { 'resume-token': records['resume_token'] ?? '' },
      ...(operationId === 'updatePublicResponse' ? { body: { data: { comment: 'More soup.' } } } : {}),
    };
  switch (operationId) {
    case 'createWebhook':
      return { body: { url: 'http://127.0.0.1:9/', event_types: ['survey.*'] } };
    case 'updateWebhook':
      return { body: { description: 'Into the archive' } };
    case 'createLink':
      return { body: { max_responses: 500 } };
    case 'createLinkTokens':
      return { path: { link_id: records['single_use_id'] ?? '' } };
    case 'createUser':
      return { body: { email: `${randomUUID()}@example.org`, role: 'viewer' } };
    case 'replayWebhook':
      return { body: {} };
    default:
      return {};
  }
}

/** Calls in the way that succeeds, with something changed. */
function call(operationId: string, change: Call = {}): Promise<Answer> {
  const usual = callOf(operationId);
  return walk.call(operationId, { ...usual, ...change, headers: { ...usual.headers, ...change.headers } });
}

/** A client that may do one thing. */
function keyWith(permission: string): Promise<Api> {
  const known = restricted.get(permission);
  if (known !== undefined) return known;
  const body = { name: permission, permissions: [permission] };
  const made = walk.call('createApiKey', { body }).then((answer) => createApi(answer.body.secret));
  restricted.set(permission, made);
  return made;
}

async function makeRecords(): Promise<void> {
  const { records } = walk;
  const keep = async (name: string, operationId: string, change?: Call) => {
    const { body } = await call(operationId, change);
    records[name] = body.id;
    return body;
  };
  await keep('webhook_id', 'createWebhook');
  await keep('project_id', 'createProject');
  await keep('survey_id', 'createSurvey');
  await call('publishSurvey');
  records['version'] = '1';
  await keep('user_id', 'createUser');
  await keep('key_id', 'createApiKey');
  await keep('single_use_id', 'createLink', { body: { single_use: true } });
  records['slug'] = (await keep('link_id', 'createLink')).slug;
  const inProgress = { status: 'in_progress', data: {} };
  const begun = await keep('begun_id', 'submitPublicResponse', { body: inProgress, api: anonymous() });
  records['resume_token'] = begun.resume_token;
  const { body: file } = await call('uploadPublicFile', { api: anonymous() });
  records['file_id'] = file.file_id;
  const data = { satisfaction: 'happy', receipt: [{ file_id: file.file_id }] };
  await keep('response_id', 'createResponse', { body: { data } });
  await keep('import_id', 'importSurvey', { headers: { prefer: 'respond-async' } });
  records['delivery_id'] = (await poll(async () => (await call('listDeliveries')).body[0])).id;
  await keep('replay_id', 'replayWebhook');
}

describe('a request with something wrong', () => {
  it.each(operations)('is refused by $operationId as documented', async (operation) => {
    const { operationId, fields, responses } = operation;
    const by = isPublic(operation) ? { api: anonymous() } : {};
    const can = (status: number) => Object.hasOwn(responses, status);
    const expectStatus = async (status: number, change: Call) =>
      expect([(await call(operationId, { ...by, ...change })).status, change]).toEqual([status, change]);

    await expectStatus(400, { query: 'surprise=1' });
    if (can(401)) await expectStatus(401, { api: anonymous() });
    const useless = operationId === 'listAuditEvents' ? 'surveys:read' : 'audit:read';
    if (can(403) && !isPublic(operation)) await expectStatus(403, { api: await keyWith(useless) });
    const path = Object.fromEntries(fields.map((name) => [name, randomUUID()]));
    if (fields.length > 0) await expectStatus(404, { path });
    if (can(406)) await expectStatus(406, { headers: { accept: 'text/html' } });
    if (can(412)) await expectStatus(412, { headers: { 'if-match': '"0"' } });
    if (can(413)) expect(await walk.announceTooMuch(operationId, token)).toBe(413);
    const strange = UPLOADS.includes(operationId) ? { 'content-encoding': 'gzip' } : { 'content-type': 'text/plain' };
    if (can(415)) await expectStatus(415, { headers: strange });
    const invalid = invalidBodies[operationId];
    if (invalid !== undefined) await expectStatus(422, invalid);
  });

  /** Another request than the usual one: of one who may do less, or with another body where nobody is told apart. */
  async function otherCall(operationId: string, description: string): Promise<Call> {
    if (UPLOADS.includes(operationId)) return { body: 'about you' };
    if (/Response$/.test(operationId)) return { body: { data: { satisfaction: 'unhappy' } } };
    return { api: await keyWith(/permission `([\w:-]+)`/.exec(description)?.[1] ?? '') };
  }

  it.each(operations.filter((operation) => reasonsOf(operation, '409').includes('IDEMPOTENCY_KEY_REUSED')))(
    'is refused by $operationId when its key stands for another one',
    async ({ operationId, description }) => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await call(operationId, { headers });
      expect([200, 201, 202]).toContain(first.status);
      const other = await call(operationId, { ...(await otherCall(operationId, description)), headers });
      expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    },
  );
});

describe('a record in another state', () => {
  const conflicts = () => createConflicts(walk, tenant, callOf);

  it('keeps its last owner', () => conflicts().ofAccount());
  it('is no survey that can be published, closed, restored or replaced so', () => conflicts().ofSurveys());
  it('is a project with surveys', () => conflicts().ofProjects());
  it('has the slug already', () => conflicts().ofLinks());
  it('is switched off, or over', () => conflicts().ofWebhooks());
  it('lets no respondent in', () => conflicts().ofRespondents());
  it('is gone for those who come back', () => conflicts().ofThoseWhoComeBack());
  it('is more than can be sampled', () => conflicts().ofSamples());
});

describe('a request with nothing wrong', () => {
  it.each(operations.filter(({ verb }) => verb === 'GET'))(
    'is answered by $operationId',
    async ({ operationId, responses }) => {
      if (operationId === 'getSurveyDraft') await call('replaceSurvey', { query: 'draft=true' });
      const { status, headers } = await call(operationId);
      expect(status).toBe(200);
      if (!Object.hasOwn(responses, '304')) return;
      const again = await call(operationId, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    },
  );

  it.each([
    'updateTenant',
    'updateUser',
    'updateSurvey',
    'updateProject',
    'updateLink',
    'updateWebhook',
    'updateResponse',
  ])('is carried out by %s', async (operationId) => expect((await call(operationId)).status).toBe(200));

  it('is carried out by what acts on records', async () => {
    const questions = [{ id: 'why', type: 'text', title: 'Why?' }];
    const importing = { source: 'custom', format: 'json', data: { survey: { title: 'x', questions } } };
    const acts: readonly (readonly [status: number, operationId: string, change?: Call])[] = [
      [204, 'deleteSurveyDraft'],
      [201, 'duplicateSurvey'],
      [200, 'validatePayload'],
      [201, 'createLinkTokens'],
      [201, 'submitLinkResponse', { api: anonymous() }],
      [201, 'uploadLinkFile', { api: anonymous() }],
      [200, 'updatePublicResponse', { api: anonymous() }],
      [201, 'importSurvey'],
      [200, 'importSurvey', { body: { ...importing, options: { dry_run: true } } }],
      [200, 'importResponses'],
      [200, 'cancelImport'],
      [200, 'testWebhook'],
      [200, 'rotateWebhookSecret'],
      [202, 'redeliverDelivery'],
    ];
    for (const [status, operationId, change] of acts)
      expect([operationId, (await call(operationId, change)).status]).toEqual([operationId, status]);
  });

  it('ends a replay that runs', async () => {
    const cancelled = await poll(async () => {
      const { body } = await call('replayWebhook', { body: { statuses: ['delivered', 'failed'] } });
      const { status } = await call('cancelReplay', { path: { replay_id: body.id ?? randomUUID() } });
      return status === 200;
    });
    expect(cancelled).toBe(true);
  });

  it('takes records away', async () => {
    expect((await call('replaceSurvey')).status).toBe(200);
    for (const operationId of [
      'deleteResponse',
      'deleteLink',
      'deleteWebhook',
      'deleteProject',
      'deleteApiKey',
      'deleteUser',
      'deleteSurvey',
    ])
      expect([operationId, (await call(operationId)).status]).toEqual([operationId, 204]);
    for (const operationId of ['restoreSurvey', 'publishSurvey', 'closeSurvey'])
      expect([operationId, (await call(operationId)).status]).toEqual([operationId, 200]);
  });
});

describe('a page beside the API', () => {
  const pages = ['/health', '/metrics'] as const;
  const seen = new Set<string>();
  /** One whose operator lets only Prometheus see the metrics, that does not find the import service, and has no time. */
  let closed: Replica;
  beforeAll(async () => {
    const stack = { info: () => inject('stack') };
    const env = {
      METRICS_TOKEN: 'scrape-me',
      IMPORT_ADMIN_URL: 'http://127.0.0.1:9',
      CLIENT_UNLIMITED_RANGES: '',
      CLIENT_PUBLIC_REQUESTS_PER_MINUTE: '6',
    };
    closed = await startReplica({ stack, folder: inject('stackFolder'), part: 'gateway', env });
  });
  afterAll(() => closed.stop());

  async function show(path: string, api: Api = anonymous()): Promise<Answer> {
    const answer = await api('GET', path);
    seen.add(`${path} ${answer.status}`);
    return answer;
  }

  it.each([
    ['/health', 'application/json'],
    ['/metrics', 'text/plain'],
  ] as const)('%s is as the document says, and asks for no token of the API', async (path, type) => {
    const { status, headers } = await show(path);
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(document.paths[path].get.security).toEqual([]);
  });

  it.each(pages)('%s is refused as the document says', async (path) => {
    const { hostname, port } = new URL(inject('stack').gateway);
    const request = sendRequest({ hostname, port, path, setHost: false, agent: false }).end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const body = await json(answer);
    expect(answer.statusCode).toBe(400);
    createConformance()('GET', path, {
      status: 400,
      headers: new Headers(answer.headers as Record<string, string>),
      body,
    });
    seen.add(`${path} 400`);
  });

  it('tells of trouble as the document says', async () => {
    const { status, body } = await show('/health', createApi(undefined, closed.origin));
    expect([status, body.status]).toEqual([503, 'unhealthy']);
  });

  it('shows metrics to nobody without their token, and not too often, as the document says', async () => {
    const api = createApi(undefined, closed.origin);
    const answers = await Promise.all(Array.from({ length: 7 }, () => show('/metrics', api)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it('has no other status in the document but that of a defect', () => {
    const documented = pages.flatMap((path) =>
      Object.keys(document.paths[path].get.responses).map((status) => `${path} ${status}`),
    );
    expect(documented.filter((status) => !seen.has(status))).toEqual(pages.map((path) => `${path} 5XX`));
  });
});

describe('the document', () => {
  it('tells of no status that no request was answered with', () => {
    expect(walk.unseen()).toEqual([]);
  });
});
