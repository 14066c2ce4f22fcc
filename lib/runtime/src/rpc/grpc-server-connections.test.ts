import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { startTcpProxy } from '../testing/network/tcp-proxy.ts';
import { poll } from '../testing/poll.ts';
import { someTenant, startTestServer, type TestHandlers } from '../testing/rpc/test-server.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';

let keys: TestKeys;
const open = closeAfterEach();

beforeAll(async () => {
  keys = await createTestKeys();
});
afterAll(() => keys.close());

async function start(handlers: TestHandlers, ages: { readonly maxAgeMs?: number; readonly ageGraceMs?: number } = {}) {
  const server = await startTestServer({ jwksFile: keys.jwksFile, ...handlers, ...ages });
  const proxy = await startTcpProxy(server.address);
  const address = `127.0.0.1:${proxy.port}`;
  const gateway = await keys.connectAs('gateway', 'identity', address);
  const operator = await keys.connectAs('operator', 'identity', address);
  open.push({ close: () => server.close(0) }, proxy, gateway, operator);
  const tenants = operator.client(TenantAdminService);
  const permissions = gateway.client(PermissionService);
  return {
    server,
    connections: proxy.connections,
    createTenant: () => tenants.createTenant(someTenant),
    getPermissions: () => permissions.getPermissions({}),
  };
}

/** Handlers that reply when the test lets them. */
function createSlow() {
  const waiting: ((reply: object) => void)[] = [];
  const reply = () => new Promise<object>((resolve) => waiting.push(resolve));
  return {
    handlers: { createTenant: reply, getPermissions: reply },
    running: () => waiting.length,
    replyToAll() {
      for (const resolve of waiting.splice(0)) resolve({});
    },
  };
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
    socket.resume();
    open.push({ close: () => socket.destroy() });
  });
}

describe('old connections', () => {
  it('are replaced under load without failing calls, even calls without retries', async () => {
    const later = () => new Promise<object>((resolve) => setTimeout(resolve, 2, {}));
    const { createTenant, connections } = await start({ createTenant: later }, { maxAgeMs: 100 });
    const failures: unknown[] = [];
    const callOn = async () => {
      while (connections() < 8 && failures.length === 0) await createTenant().catch((error) => failures.push(error));
    };
    await Promise.all(Array.from({ length: 16 }, callOn));
    expect(failures).toEqual([]);
  });

  it('are closed if a call hangs longer than the grace period', async () => {
    const { handlers, running } = createSlow();
    const { createTenant } = await start(handlers, { maxAgeMs: 50, ageGraceMs: 50 });
    const hanging = createTenant();
    await poll(() => running() === 1);
    await expect(hanging).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('closing', () => {
  it('finishes running calls, and accepts no new ones', async () => {
    const { handlers, running, replyToAll } = createSlow();
    const { server, createTenant } = await start(handlers);
    const calls = [createTenant(), createTenant()];
    await poll(() => running() === 2);
    const closed = server.close();
    await expect(createTenant()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    replyToAll();
    await Promise.all(calls);
    await closed;
  });

  it('aborts hanging calls and silent connections', async () => {
    const { handlers, running } = createSlow();
    const { server, createTenant } = await start(handlers);
    await openSocket(server.port);
    const hanging = createTenant();
    await poll(() => running() === 1);
    const closed = server.close(50);
    await expect(hanging).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await closed;
  });
});

describe('a connection', () => {
  it('has 256 concurrent calls, and the others wait', async () => {
    const { handlers, running, replyToAll } = createSlow();
    const { getPermissions, connections } = await start(handlers);
    const calls = Array.from({ length: 300 }, () => getPermissions());
    await poll(() => running() === 256);
    replyToAll();
    await poll(() => running() === 44);
    replyToAll();
    await Promise.all(calls);
    expect(connections()).toBe(1);
  });

  it.each([
    ['HTTP/1.1', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['noise', Buffer.alloc(4096, 0xa5)],
    ['a preface and noise', Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(4096, 0xa5)])],
  ])('that sends %s is closed, and others are served', async (_, bytes) => {
    const { server, getPermissions } = await start({});
    const socket = await openSocket(server.port);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(bytes);
    await ended;
    await getPermissions();
  });

  it('that opens streams only to reset them is closed, and others are served', async () => {
    const { server, getPermissions } = await start({});
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    const ended = new Promise((resolve) => session.once('close', resolve));
    session.on('error', () => {});
    let resets = 0;
    const attack = () => {
      for (let stream = 0; stream < 100 && !session.closed && !session.destroyed; stream += 1) {
        const request = session.request({ ':method': 'POST', ':path': '/x' });
        request.on('error', () => {});
        request.close(8);
        resets += 1;
      }
      if (!session.closed && !session.destroyed && resets < 50_000) setImmediate(attack);
    };
    session.once('connect', attack);
    await ended;
    expect(resets).toBeLessThan(50_000);
    await getPermissions();
  });
});
