import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService } from '../testing/test-survey-service.ts';

let service: TestSurveyService;
let tenant: ReturnType<TestSurveyService['tenant']>;

beforeAll(async () => {
  service = await startTestSurveyService();
});
beforeEach(() => {
  tenant = service.tenant();
});
afterAll(() => service.close());

async function createProject(name = 'Canteen') {
  const created = await tenant.call('POST', '/v1/projects', { body: { name } });
  expect(created.status).toBe(201);
  return created.body;
}

describe('projects', () => {
  it('are returned as they were created', async () => {
    const body = { name: 'Canteen', description: 'Food' };
    const created = await tenant.call('POST', '/v1/projects', { body });
    const path = `/v1/projects/${created.body.id}`;
    expect([created.status, created.headers.get('location'), created.headers.get('etag')]).toEqual([201, path, '"1"']);
    expect(created.body).toMatchObject({ ...body, created_by: 'user-1', updated_by: 'user-1' });
    const read = await tenant.call('GET', path);
    expect([read.body, read.headers.get('etag')]).toEqual([created.body, '"1"']);
  });

  it('are created once per Idempotency-Key', async () => {
    const request = { body: { name: 'Canteen' }, headers: { 'idempotency-key': 'k' } };
    const [first, second] = [
      await tenant.call('POST', '/v1/projects', request),
      await tenant.call('POST', '/v1/projects', request),
    ];
    expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([201, first.body, 'true']);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect((await tenant.call('GET', '/v1/projects')).body).toEqual([first.body]);
  });

  it('have their current ETag when the creation is repeated after a change', async () => {
    const request = { body: { name: 'Canteen' }, headers: { 'idempotency-key': 'k' } };
    const { id } = (await tenant.call('POST', '/v1/projects', request)).body;
    const used = service.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: tenant.id }, { $set: { answer: null } });
    const changed = await tenant.call('PATCH', `/v1/projects/${id}`, { body: { name: 'Kitchen' } });
    const repeated = await tenant.call('POST', '/v1/projects', request);
    expect([repeated.status, repeated.body, repeated.headers.get('etag')]).toEqual([201, changed.body, '"2"']);
  });

  it('are listed newest first, with pagination', async () => {
    const made = [];
    for (const name of ['a', 'b', 'c']) made.unshift((await createProject(name)).id);
    const seen: string[] = [];
    let path: string | undefined = '/v1/projects?limit=2';
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof tenant.call>> = await tenant.call('GET', path);
      seen.push(...page.body.map(({ id }: { id: string }) => id));
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(made);
  });

  it.each([
    ['no name', {}, 422, '/name'],
    ['an empty name', { name: '' }, 422, '/name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 422, '/name'],
    ['a description that is too long', { name: 'x', description: 'x'.repeat(2_001) }, 422, '/description'],
    ['a name that is no text', { name: 1 }, 400, '/name'],
    ['an unknown member', { name: 'x', colour: 'red' }, 400, '/colour'],
  ])('are rejected with %s', async (_case, body, status, path) => {
    const rejected = await tenant.call('POST', '/v1/projects', { body });
    expect([rejected.status, rejected.body.errors.map((problem: { path: string }) => problem.path)]).toEqual([
      status,
      [path],
    ]);
  });

  it.each(['limit=0', 'limit=1001', 'cursor=x', 'name=x'])('are not listed by %s', async (query) => {
    expect((await tenant.call('GET', `/v1/projects?${query}`)).status).toBe(400);
  });

  it('of another tenant are not found', async () => {
    const { id } = await createProject();
    const stranger = service.tenant();
    for (const [method, request] of [
      ['GET', {}],
      ['PATCH', { body: { name: 'x' } }],
      ['DELETE', {}],
    ] as const) {
      const { status, body } = await stranger.call(method, `/v1/projects/${id}`, request);
      expect([status, body.code]).toEqual([404, 'PROJECT_NOT_FOUND']);
    }
    expect((await stranger.call('GET', '/v1/projects')).body).toEqual([]);
  });
});

describe('updating a project', () => {
  it('keeps members that are missing, and clears those that are null', async () => {
    const { body } = await tenant.call('POST', '/v1/projects', { body: { name: 'a', description: 'Food' } });
    const path = `/v1/projects/${body.id}`;
    const renamed = await tenant.call('PATCH', path, { body: { name: 'b' } });
    expect(renamed.body).toEqual({ ...body, name: 'b', updated_at: expect.any(String) });
    expect(renamed.headers.get('etag')).toBe('"2"');
    expect((await tenant.call('PATCH', path, { body: { description: null } })).body.description).toBe('');
    const rejected = await tenant.call('PATCH', path, { body: { name: null } });
    expect([rejected.status, rejected.body.errors[0].path]).toEqual([422, '/name']);
  });

  it.each([{}, { name: 'Canteen' }, { name: 'Canteen', description: null }])(
    'changes nothing that asks for no more than %j',
    async (body) => {
      const project = await createProject('Canteen');
      const same = await tenant.call('PATCH', `/v1/projects/${project.id}`, { body });
      expect([same.body, same.headers.get('etag')]).toEqual([project, '"1"']);
    },
  );

  it('requires the revision of If-Match, like deletion', async () => {
    const path = `/v1/projects/${(await createProject()).id}`;
    const headers = { 'if-match': '"1"' };
    expect((await tenant.call('PATCH', path, { body: { name: 'b' }, headers })).status).toBe(200);
    const late = await tenant.call('PATCH', path, { body: { name: 'c' }, headers });
    expect([late.status, late.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await tenant.call('DELETE', path, { headers })).status).toBe(412);
    expect((await tenant.call('GET', path)).body.name).toBe('b');
    expect((await tenant.call('DELETE', path, { headers: { 'if-match': '"2"' } })).status).toBe(204);
  });

  it('succeeds once of 20 concurrent updates with the same If-Match, and always without If-Match', async () => {
    const path = `/v1/projects/${(await createProject()).id}`;
    const patch = (n: number, headers = {}) => tenant.call('PATCH', path, { body: { name: `n${n}` }, headers });
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const guarded = await Promise.all(numbers.map((n) => patch(n, { 'if-match': '"1"' })));
    expect(guarded.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
    const free = await Promise.all([20, 21, 22, 23, 24].map((n) => patch(n)));
    expect(free.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await tenant.call('GET', path)).headers.get('etag')).toBe('"7"');
  });
});

describe('a deleted project', () => {
  it('is not found', async () => {
    const path = `/v1/projects/${(await createProject()).id}`;
    expect((await tenant.call('DELETE', path)).status).toBe(204);
    expect((await tenant.call('GET', path)).body.code).toBe('PROJECT_NOT_FOUND');
    expect((await tenant.call('DELETE', path)).status).toBe(404);
    expect((await tenant.call('GET', '/v1/projects')).body).toEqual([]);
  });

  it('must not contain surveys, not even deleted ones', async () => {
    const project = await createProject();
    const path = `/v1/projects/${project.id}`;
    const survey = await tenant.createSurvey({ project_id: project.id });
    const rejected = await tenant.call('DELETE', path);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'PROJECT_NOT_EMPTY']);
    await tenant.call('DELETE', `/v1/surveys/${survey}`);
    expect((await tenant.call('DELETE', path)).status).toBe(409);
    await tenant.call('POST', `/v1/surveys/${survey}/restore`);
    await tenant.call('PATCH', `/v1/surveys/${survey}`, { body: { project_id: null } });
    expect((await tenant.call('DELETE', path)).status).toBe(204);
  });

  it('accepts no surveys', async () => {
    const project_id = (await createProject()).id;
    await tenant.call('DELETE', `/v1/projects/${project_id}`);
    const survey = await tenant.createSurvey();
    for (const id of [project_id, randomUUID()]) {
      const rejected = await tenant.call('PATCH', `/v1/surveys/${survey}`, { body: { project_id: id } });
      expect([rejected.status, rejected.body.errors[0]]).toMatchObject([
        422,
        { path: '/project_id', code: 'UNKNOWN_PROJECT' },
      ]);
    }
  });
});
