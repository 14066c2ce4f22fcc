import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../errors/app-error.ts';
import { createTranscoder } from '../rest/transcoder.ts';
import { poll } from '../testing/poll.ts';
import { anyone, createTestService } from '../testing/test-contract.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { someTenant, startTestServer, type TestServer } from '../testing/test-server.ts';
import { callOf } from './call-context.ts';
import { callOptionsFor, onBehalfOf, type ServiceConnection } from './service-client.ts';

/** The last server's view of a call. */
interface Seen {
  readonly timeLeftMs: number | undefined;
  readonly signal: AbortSignal;
}

let keys: TestKeys;
let last: TestServer;
let middle: TestServer;
let toLast: ServiceConnection;
let toMiddle: ServiceConnection;
let seen: Seen[] = [];
let outcomes: unknown[] = [];

/** A chain of two services: `createTenant` of the first calls `getPermissions` of the second, which never replies. */
beforeAll(async () => {
  keys = await createTestKeys();
  last = await startTestServer({
    name: 'survey',
    jwksFile: keys.jwksFile,
    getPermissions(_, context) {
      const { limits } = callOf(context);
      seen.push({ timeLeftMs: limits.timeLeftMs(), signal: limits.signal() });
      return new Promise(() => {});
    },
  });
  toLast = await keys.connectAs('gateway', 'survey', last.address);
  middle = await startTestServer({
    jwksFile: keys.jwksFile,
    async createTenant({ name }, context) {
      // The handler asks for more time than it has.
      const options = { ...onBehalfOf(callOf(context)), ...(name === 'patient' ? { timeoutMs: 60_000 } : {}) };
      return askLast(options);
    },
  });
  toMiddle = await keys.connectAs('operator', 'identity', middle.address);
});

afterAll(async () => {
  for (const connection of [toMiddle, toLast]) connection.close();
  await Promise.all([middle.close(0), last.close(0)]);
  await keys.close();
});

async function askLast(options: ReturnType<typeof onBehalfOf>): Promise<Record<string, never>> {
  try {
    await toLast.client(PermissionService).getPermissions({}, options);
  } catch (error) {
    outcomes.push((error as AppError).code);
    throw error;
  }
  return {};
}

function startCall(name: string, options: { readonly timeoutMs?: number; readonly signal?: AbortSignal }) {
  [seen, outcomes] = [[], []];
  const client = toMiddle.client(TenantAdminService);
  return client.createTenant({ ...someTenant, name }, { ...callOptionsFor({}), ...options });
}

describe('a call made while serving another one', () => {
  it.each(['hasty', 'patient'])('has no more time than its caller (%s handler)', async (name) => {
    await expect(startCall(name, { timeoutMs: 2_000 })).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.timeLeftMs).toBeGreaterThan(0);
    expect(seen[0]?.timeLeftMs).toBeLessThanOrEqual(2_000);
    await poll(() => seen[0]?.signal.aborted === true && outcomes.length === 1);
    // Caller and server time out at the same moment, in any order.
    expect(outcomes[0]).toMatch(/^(DEADLINE_EXCEEDED|CANCELLED)$/);
  });

  it('has the default time limit if its caller has more', async () => {
    const abort = new AbortController();
    const call = startCall('hasty', { timeoutMs: 60_000, signal: abort.signal });
    await poll(() => seen.length === 1);
    expect(seen[0]?.timeLeftMs).toBeLessThanOrEqual(10_000);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    await poll(() => outcomes.length === 1);
  });

  it('is cancelled when the original caller disconnects', async () => {
    const abort = new AbortController();
    const call = startCall('hasty', { signal: abort.signal });
    await poll(() => seen.length === 1);
    expect(seen[0]?.signal.aborted).toBe(false);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    await poll(() => seen[0]?.signal.aborted === true && outcomes.length === 1);
    expect(outcomes).toEqual(['CANCELLED']);
  });

  it('is not started after the end of its caller', async () => {
    seen = [];
    const { signal } = new AbortController();
    const limits = { signal: () => signal, timeLeftMs: () => -1 };
    const late = toLast.client(PermissionService).getPermissions({}, callOptionsFor({ limits }));
    await expect(late).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    const gone = { signal: () => AbortSignal.abort(), timeLeftMs: () => 1_000 };
    const forgotten = toLast.client(PermissionService).getPermissions({}, callOptionsFor({ limits: gone }));
    await expect(forgotten).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(seen).toEqual([]);
  });
});

describe('a call made while serving a request over REST', () => {
  const http = { pattern: { case: 'get', value: '/chain' } } as const;
  const service = createTestService([{ name: 'Chain', http, access: anyone }]);

  /** Serves the operation over REST with a handler. */
  async function serve(chain: (context: Parameters<typeof callOf>[0]) => Promise<unknown>) {
    const handlers = { chain: (_: unknown, context: Parameters<typeof callOf>[0]) => chain(context) };
    const transcode = createTranscoder({ implementations: [{ service, handlers }], pipeline: middle.pipeline });
    const server = createServer((request, response) => void transcode(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const token = await (await keys.minterOf('gateway')).mint('identity', {});
    return {
      ask: (signal?: AbortSignal) =>
        fetch(`http://127.0.0.1:${port}/v1/chain`, {
          headers: { authorization: `Bearer ${token}` },
          ...(signal && { signal }),
        }),
      close: () => server.close(),
    };
  }

  it('is cancelled when the client disconnects', async () => {
    [seen, outcomes] = [[], []];
    const rest = await serve((context) => askLast(onBehalfOf(callOf(context))));
    try {
      const abort = new AbortController();
      const reply = rest.ask(abort.signal);
      await poll(() => seen.length === 1);
      abort.abort();
      await expect(reply).rejects.toThrow();
      await poll(() => seen[0]?.signal.aborted === true && outcomes.length === 1);
      expect(outcomes).toEqual(['CANCELLED']);
    } finally {
      rest.close();
    }
  });

  it('does not stop work of the handler itself when the client disconnects', async () => {
    const [begun, written] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<string>()];
    const rest = await serve(async (context) => {
      begun.resolve(callOf(context).limits.signal());
      await poll(() => callOf(context).limits.signal().aborted);
      written.resolve('written');
      return {};
    });
    try {
      const abort = new AbortController();
      const reply = rest.ask(abort.signal);
      const signal = await begun.promise;
      expect(signal.aborted).toBe(false);
      abort.abort();
      await expect(reply).rejects.toThrow();
      expect(await written.promise).toBe('written');
    } finally {
      rest.close();
    }
  });

  it('has the time limit of the request, which ends with the reply', async () => {
    let limits: ReturnType<typeof callOf>['limits'] | undefined;
    const rest = await serve(async (context) => {
      limits = callOf(context).limits;
      return {};
    });
    try {
      expect((await rest.ask()).status).toBe(200);
      expect(limits?.timeLeftMs()).toBeGreaterThan(20_000);
      expect(limits?.timeLeftMs()).toBeLessThanOrEqual(30_000);
      expect(limits?.signal().aborted).toBe(true);
    } finally {
      rest.close();
    }
  });
});
