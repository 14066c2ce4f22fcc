import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MongoSettings } from '@survey/local/infra/mongo';
import { connectOperator } from '@survey/local/operator/operator-client';
import { type Stack, startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { issueToken } from '@survey/local/stack/issuer';
import type { Pids } from './processes.ts';

/** A platform of its own for a bench, with a tenant. */
export interface BenchPlatform {
  readonly stack: Stack;
  readonly folder: string;
  readonly tenant: BenchTenant;
  /** Runs at the end, in reverse order. */
  readonly cleanup: AsyncDisposableStack;
}

export interface BenchTenant {
  readonly tenantId: string;
  readonly token: string;
  /** Calls the gateway. Throws unless the reply is successful. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Sends a file as the body. Throws like `call`. */
  send(path: string, file: Blob): Promise<Response>;
  /** Creates a record and returns its id. */
  create(path: string, body?: unknown): Promise<string>;
  /** Creates and publishes a survey, and returns its id. */
  publish(survey: unknown): Promise<string>;
}

export const log = (line: string) => console.error(line);

/** A million responses need more memory than the limit of MongoDB in tests. */
export const MUCH_MEMORY = { useDefaultLimits: true };

/** Starts a platform, runs work, and removes the platform. */
export async function withPlatform<T>(
  work: (platform: BenchPlatform) => Promise<T>,
  mongo: MongoSettings = {},
): Promise<T> {
  const cleanup = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const stack = await startStack({ dir: folder, demo: false, mongo, log });
    cleanup.defer(stack.stop);
    return await work({ stack, folder, tenant: await createTenant(stack, folder), cleanup });
  } finally {
    await cleanup.disposeAsync();
  }
}

async function createTenant(stack: Stack, folder: string): Promise<BenchTenant> {
  const { keys } = toPaths(folder);
  const operator = await connectOperator(keys, stack.info().services['identity']?.grpc ?? '');
  const { tenantId, userId } = await operator.createTenant({ name: 'bench', ownerEmail: 'owner@example.org' });
  // Benches exceed the default limits.
  await operator.setTenantLimits(tenantId, { requestsPerMinute: 1_000_000_000, concurrentRequests: 1_000_000 });
  operator.close();
  const token = await issueToken(keys, { tenantId, userId, expiresInSeconds: 3_600 });
  const authorization = `Bearer ${token}`;
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(`${stack.info().gateway}${path}`, init);
    if (!response.ok) throw new Error(`${init.method} ${path} returned ${response.status}: ${await response.text()}`);
    return response;
  };
  const call: BenchTenant['call'] = (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return request(path, { method, headers: { authorization, 'content-type': 'application/json' }, ...sent });
  };
  const create = async (path: string, body: unknown = {}) =>
    // The reply is a record.
    ((await (await call('POST', path, body)).json()) as { id: string }).id;
  return {
    tenantId,
    token,
    call,
    create,
    send: (path, body) =>
      request(path, { method: 'POST', headers: { authorization, 'content-type': 'application/octet-stream' }, body }),
    async publish(survey) {
      const id = await create('/v1/surveys', survey);
      await call('POST', `/v1/surveys/${id}/publish`);
      return id;
    },
  };
}

/** MongoDB and Kafka if they are processes of the stack. */
export function infraPids(stack: Stack): Pids {
  const { mongodb, kafka } = stack.info();
  return toPids({ mongodb, kafka });
}

/** The gateway, the services, MongoDB and Kafka. */
export function platformPids(stack: Stack): Pids {
  const { services, mongodb, kafka } = stack.info();
  return toPids({ ...services, mongodb, kafka });
}

export function toPids(parts: Readonly<Record<string, { readonly pid?: number }>>): Pids {
  return new Map(Object.entries(parts).flatMap(([name, { pid }]) => (pid === undefined ? [] : [[name, pid] as const])));
}
