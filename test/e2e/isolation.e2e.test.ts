import { randomUUID } from 'node:crypto';
import { toPaths } from '@survey/local/stack/folder';
import { loadKey, toKeyFiles } from '@survey/local/stack/keys';
import { type Backend, catalog } from '@survey/proto/catalog';
import { createTokenMinter, type TokenMinter } from '@survey/runtime/auth/internal-token';
import { type Route, routesOf } from '@survey/runtime/rest/route';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createApiWalk, exampleOf } from '../support/api/api-walk.ts';
import { type Api, createApi, createTenant, type TestTenant } from '../support/platform.ts';

interface Row {
  readonly backend: Backend;
  readonly route: Route;
  readonly name: string;
}

/** All routes of the contract, including new ones. */
const rows: readonly Row[] = (Object.keys(catalog) as Backend[]).flatMap((backend) =>
  routesOf(catalog[backend]).map((route) => ({ backend, route, name: `${route.httpMethod} ${route.template}` })),
);
const secured = rows.filter(({ route }) => route.access.kind !== 'public');
const permitted = secured.flatMap((row) =>
  row.route.access.kind === 'permission' ? [{ ...row, permission: row.route.access.permission }] : [],
);

let owner: TestTenant;
let stranger: TestTenant;
let viewer: Api;
let gatewayMinter: TokenMinter;
/** Records of `owner` by path field. */
const records: Record<string, string> = {};

beforeAll(async () => {
  [owner, stranger] = [await createTenant(), await createTenant()];
  viewer = await owner.userWith('viewer');
  const walk = createApiWalk(owner.api);
  await walk.makeRecords();
  Object.assign(records, walk.records);
  const privateKey = await loadKey(toKeyFiles(toPaths(inject('stackFolder')).keys).internalKeyOf('gateway'));
  gatewayMinter = await createTokenMinter({ service: 'gateway', privateKey });
});

function pathOf({ segments }: Route, idOf = recordOf): string {
  const parts = segments.map((segment) => ('literal' in segment ? segment.literal : idOf(segment.field.name)));
  return `/${parts.join('/')}`;
}

/** Whether a path matches a route, even if another route has precedence. */
function isAt({ segments }: Route, path: string): boolean {
  const parts = path.slice(1).split('/');
  return (
    parts.length === segments.length &&
    segments.every((segment, at) => 'field' in segment || segment.literal === parts[at])
  );
}

function recordOf(field: string): string {
  const id = records[field];
  if (id === undefined) throw new Error(`makeRecords creates no record for {${field}}`);
  return id;
}

function bodyOf({ operationId, body }: Route): { body?: unknown } {
  return body === undefined ? {} : { body: exampleOf(operationId) ?? {} };
}

/** The complete body of an error. */
function problem(status: number, code: string, detail: string) {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return { type: `/docs/errors/${code}`, title, status, detail, code, request_id: expect.any(String) };
}

const unauthenticated = problem(401, 'INVALID_TOKEN', 'The header Authorization is missing');

function forbidden(permission: string) {
  return problem(403, 'PERMISSION_DENIED', `Permission '${permission}' required`);
}

describe.each(['/v1', '/api/v1'])('under %s', (prefix) => {
  const at = (route: Route, idOf = recordOf) => pathOf(route, idOf).replace(/^\/v1/, prefix);

  it.each(secured)('$name without a token is 401', async ({ route }) => {
    const { status, body, headers } = await createApi()(route.httpMethod, at(route), bodyOf(route));
    expect([status, body]).toEqual([401, unauthenticated]);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(secured.filter(({ route }) => route.segments.some((segment) => 'field' in segment)))(
    '$name of another tenant is 404, as of one that never was',
    async ({ route }) => {
      const foreign = await stranger.api(route.httpMethod, at(route), bodyOf(route));
      const unknown = await stranger.api(
        route.httpMethod,
        at(route, () => randomUUID()),
        bodyOf(route),
      );
      expect([foreign.status, unknown.status]).toEqual([404, 404]);
      expect(foreign.body).toEqual({ ...unknown.body, request_id: expect.any(String) });
      expect(foreign.body).toEqual(problem(404, foreign.body.code, foreign.body.detail));
    },
  );
});

describe('permissions', () => {
  it.each(permitted)('$name at its service without $permission is 403', async ({ backend, route, permission }) => {
    const token = await gatewayMinter.mint(backend, {
      tenantId: owner.tenantId,
      subject: owner.userId,
      permissions: [],
    });
    const response = await fetch(`${inject('stack').services[backend]?.http}${pathOf(route)}`, {
      method: route.httpMethod,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(route.body === undefined ? {} : { body: JSON.stringify(bodyOf(route).body) }),
    });
    expect([response.status, await response.json()]).toEqual([403, forbidden(permission)]);
  });

  it('of a viewer allow only reading at the gateway', async () => {
    const beyond = permitted.filter(({ permission }) => !permission.endsWith(':read'));
    expect(beyond.length).toBeGreaterThan(0);
    for (const { route, permission } of beyond) {
      const { status, body } = await viewer(route.httpMethod, pathOf(route), bodyOf(route));
      expect([status, body]).toEqual([403, forbidden(permission)]);
    }
  });

  it('are asked for before anything is looked up', async () => {
    const { status } = await viewer('DELETE', '/v1/surveys/no-such-survey');
    expect(status).toBe(403);
  });
});

describe('an API key', () => {
  /** An API key of the owner with these permissions. */
  async function keyWith(given: readonly string[]): Promise<Api> {
    const { body } = await owner.api('POST', '/v1/api-keys', { body: { name: 'any', permissions: given } });
    return createApi(body.secret);
  }
  const all = [...new Set(permitted.map(({ permission }) => permission))];

  it.each(all)('with only %s can call only operations that need it', async (permission) => {
    const key = await keyWith([permission]);
    for (const { route, name, permission: asked } of permitted) {
      // An unknown record and no JSON, so the call has no effect.
      const path = pathOf(route, () => randomUUID());
      const body = route.body === undefined ? {} : { body: '{' };
      const { status } = await key(route.httpMethod, path, body);
      const expected = asked === permission ? (await owner.api(route.httpMethod, path, body)).status : 403;
      expect([name, status]).toEqual([name, expected]);
    }
  });
});

describe('lists', () => {
  it.each(
    secured.filter(({ route }) => route.httpMethod === 'GET' && !route.segments.some((segment) => 'field' in segment)),
  )('$name shows a stranger nothing of the tenant', async ({ route }) => {
    const isOfSurveys = route.query.has('survey_ids');
    const query = isOfSurveys ? `?survey_ids=${records['survey_id']}` : '';
    const { status, body } = await stranger.api('GET', `${pathOf(route)}${query}`);
    expect(status).toBe(200);
    if (isOfSurveys) expect(body).toEqual([]);
    expect(JSON.stringify(body)).not.toContain(owner.tenantId);
  });
});

describe('bad requests', () => {
  it.each(rows.filter(({ route }) => route.body !== undefined))(
    '$name rejects a body that is no JSON',
    async ({ route }) => {
      const { status, body } = await owner.api(route.httpMethod, pathOf(route), {
        body: '{"a":',
        headers: { 'content-type': 'application/json' },
      });
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it.each(rows)('$name rejects an unknown query parameter', async ({ route }) => {
    const { status } = await owner.api(route.httpMethod, `${pathOf(route)}?surprise=1`, bodyOf(route));
    expect(status).toBe(400);
  });

  it.each(rows)('$name rejects unsupported methods and lists the supported ones', async ({ route }) => {
    const taken = rows.filter((row) => isAt(row.route, pathOf(route))).map((row) => row.route.httpMethod);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (taken.includes(method)) continue;
      const { status, headers } = await owner.api(method, pathOf(route), method === 'GET' ? {} : { body: {} });
      expect([method, status]).toEqual([method, 405]);
      expect(headers.get('allow')?.split(', ')).toContain(route.httpMethod);
    }
  });

  it('at an unknown path are 404', async () => {
    const { status, body } = await owner.api('GET', '/v1/nothing');
    expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });
});

describe('records', () => {
  it('of the owner still exist after all tests', async () => {
    for (const path of [
      `/v1/users/${records['user_id']}`,
      `/v1/surveys/${records['survey_id']}`,
      `/v1/projects/${records['project_id']}`,
      `/v1/links/${records['link_id']}`,
      `/v1/responses/${records['response_id']}`,
      `/v1/webhooks/${records['webhook_id']}`,
    ]) {
      expect((await owner.api('GET', path)).status).toBe(200);
    }
  });
});
