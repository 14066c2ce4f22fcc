import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HandlerContext } from '@connectrpc/connect';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTranscoder } from '../rest/transcoder.ts';
import { poll } from '../testing/poll.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { startTestServer, type TestServer } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { callOptionsFor, type ServiceConnection } from './service-client.ts';

/** The server's view of a call. */
interface Seen {
  readonly timeLeftMs: number | undefined;
  readonly signal: AbortSignal;
}

let keys: TestKeys;
let server: TestServer;
let connection: ServiceConnection;
let seen: Seen[] = [];

/** A service that never replies. */
beforeAll(async () => {
  keys = await createTestKeys();
  server = await startTestServer({
    jwksFile: keys.jwksFile,
    getPermissions(_, { timeoutMs, signal }) {
      seen.push({ timeLeftMs: timeoutMs(), signal });
      return new Promise(() => {});
    },
  });
  connection = await keys.connectAs('gateway', 'identity', server.address);
});

afterAll(async () => {
  connection.close();
  await server.close(0);
  await keys.close();
});

function startCall(options: { readonly timeoutMs?: number; readonly signal?: AbortSignal }) {
  seen = [];
  return connection.client(PermissionService).getPermissions({}, { ...callOptionsFor({}), ...options });
}

describe('a call to another service', () => {
  it('has its time limit at the server, too', async () => {
    await expect(startCall({ timeoutMs: 2_000 })).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.timeLeftMs).toBeGreaterThan(0);
    expect(seen[0]?.timeLeftMs).toBeLessThanOrEqual(2_000);
    await poll(() => seen[0]?.signal.aborted === true);
  });

  it('has a time limit by default, and is cancelled at the server when its caller cancels it', async () => {
    const abort = new AbortController();
    const call = startCall({ signal: abort.signal });
    await poll(() => seen.length === 1);
    expect(seen[0]?.timeLeftMs).toBeLessThanOrEqual(10_000);
    expect(seen[0]?.signal.aborted).toBe(false);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    await poll(() => seen[0]?.signal.aborted === true);
  });

  it('is not started after it was cancelled', async () => {
    await expect(startCall({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(seen).toEqual([]);
  });
});

describe('a request over REST', () => {
  const http = { pattern: { case: 'get', value: '/chain' } } as const;
  const service = createTestService([{ name: 'Chain', http, access: anyone }]);

  /** Serves the operation over REST with a handler. */
  async function serve(chain: (context: HandlerContext) => Promise<unknown>) {
    const handlers = { chain: (_: unknown, context: HandlerContext) => chain(context) };
    const transcode = createTranscoder({ implementations: [{ service, handlers }], pipeline: server.pipeline });
    const rest = createServer((request, response) => void transcode(request, response));
    await new Promise<void>((resolve) => rest.listen(0, '127.0.0.1', resolve));
    const { port } = rest.address() as AddressInfo;
    const token = await (await keys.minterOf('gateway')).mint('identity', {});
    return {
      ask: (signal?: AbortSignal) =>
        fetch(`http://127.0.0.1:${port}/v1/chain`, {
          headers: { authorization: `Bearer ${token}` },
          ...(signal && { signal }),
        }),
      close: () => rest.close(),
    };
  }

  it('does not stop work of its handler when the client disconnects', async () => {
    const [begun, written] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<string>()];
    const rest = await serve(async ({ signal }) => {
      begun.resolve(signal);
      await poll(() => signal.aborted);
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

  it('has a time limit, and a signal that ends with the reply', async () => {
    let context: HandlerContext | undefined;
    const rest = await serve(async (given) => {
      context = given;
      return {};
    });
    try {
      expect((await rest.ask()).status).toBe(200);
      expect(context?.timeoutMs()).toBeGreaterThan(20_000);
      expect(context?.timeoutMs()).toBeLessThanOrEqual(30_000);
      expect(context?.signal.aborted).toBe(true);
    } finally {
      rest.close();
    }
  });
});
