import { randomUUID } from 'node:crypto';
import { connectOperator } from '@survey/local/operator/operator-client';
import { toPaths } from '@survey/local/stack/folder';
import { issueToken } from '@survey/local/stack/issuer';
import { expect, inject } from 'vitest';
import { createConformance } from './api/conformance.ts';
import type {} from './stack.ts';

/** A new tenant with its owner. */
export interface TestTenant {
  readonly tenantId: string;
  readonly userId: string;
  readonly api: Api;
  /** Creates a client for another user of the tenant. */
  userWith(role: string): Promise<Api>;
}

/** A reply; the body is parsed if it is JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
  readonly body: any;
}

/** Calls the gateway. Strings and bytes are sent unchanged, other bodies as JSON. */
export type Api = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>;

const checkReply = createConformance();

/** Creates a client with this token, if any, for a gateway. Checks that every reply is documented. */
export function createApi(token?: string, gateway: string = inject('stack').gateway): Api {
  return async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${gateway}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    const reply = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    checkReply(method, path, reply);
    return reply;
  };
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Signs a token for a tenant and user, like the development issuer. */
export function tokenFor(tenantId: string, userId: string): Promise<string> {
  return issueToken(toPaths(inject('stackFolder')).keys, { tenantId, userId, expiresInSeconds: 3600 });
}

/** Creates a tenant as an operator. */
export async function createTenant(): Promise<TestTenant> {
  const identity = inject('stack').services['identity']?.grpc ?? '';
  const operator = await connectOperator(toPaths(inject('stackFolder')).keys, identity);
  try {
    const name = `test ${randomUUID()}`;
    const { tenantId, userId } = await operator.createTenant({ name, ownerEmail: 'owner@example.org' });
    return {
      tenantId,
      userId,
      api: createApi(await tokenFor(tenantId, userId)),
      async userWith(role) {
        const connection = await connectOperator(toPaths(inject('stackFolder')).keys, identity);
        try {
          const email = `${randomUUID()}@example.org`;
          const user = await connection.addUser({ tenantId, email, role, permissions: [] });
          return createApi(await tokenFor(tenantId, user.userId));
        } finally {
          connection.close();
        }
      },
    };
  } finally {
    operator.close();
  }
}

/** The ids on all pages of a list. */
export async function listIds(api: Api, path: string): Promise<readonly string[]> {
  return (await listAll<{ readonly id: string }>(api, path)).map(({ id }) => id);
}

/** The items on all pages of a list. */
export async function listAll<T>(api: Api, path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, body } = await api('GET', next);
    expect(status).toBe(200);
    items.push(...body);
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
  }
  return items;
}
