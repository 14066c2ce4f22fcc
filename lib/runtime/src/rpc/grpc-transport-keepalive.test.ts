import { createClient } from '@connectrpc/connect';
import { Health } from '@survey/proto/grpc/health/v1/health_pb';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAppError } from '../errors/error-mapping.ts';
import { startTcpProxy, type TcpProxy } from '../testing/network/tcp-proxy.ts';
import { poll } from '../testing/poll.ts';
import { startTestServer, type TestServer } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { createGrpcHealth } from './grpc-server.ts';
import { createGrpcTransport, DEFAULT_TIMEOUT_MS, KEEPALIVE } from './grpc-transport.ts';

let keys: TestKeys;
let server: TestServer;
let proxy: TcpProxy;
let asked = 0;

beforeAll(async () => {
  keys = await createTestKeys();
  const isReady = () => {
    asked += 1;
    // The first call hangs until its connection is closed.
    return asked === 1 ? new Promise<boolean>(() => {}) : Promise.resolve(true);
  };
  const health = createGrpcHealth({ services: [], isReady });
  server = await startTestServer({ jwksFile: keys.jwksFile, unauthenticated: [health] });
  proxy = await startTcpProxy(server.address);
});
afterAll(async () => {
  await proxy.close();
  await server.close(0);
  await keys.close();
});

describe('the default keepalive', () => {
  it('detects a vanished peer before its calls time out', () => {
    expect(KEEPALIVE.timeMs + KEEPALIVE.timeoutMs).toBeLessThan(DEFAULT_TIMEOUT_MS);
  });
});

describe('a connection with a silent peer', () => {
  it('is closed long before the deadline of its calls, and the next call uses a new one', async () => {
    const keepalive = { timeMs: 100, timeoutMs: 100 };
    const transport = createGrpcTransport({
      address: `127.0.0.1:${proxy.port}`,
      service: PermissionService,
      keepalive,
    });
    const client = createClient(Health, transport);
    try {
      const hanging = client.check({}, { timeoutMs: 60_000 }).catch(toAppError);
      await poll(() => asked === 1);
      proxy.silence();
      expect(await hanging).toMatchObject({ code: 'UNAVAILABLE' });
      await client.check({});
      expect(proxy.connections()).toBe(2);
    } finally {
      transport.close();
    }
  });
});
