import { connect as connectTls } from 'node:tls';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Implementation } from '../rpc/implementation.ts';
import { createPeerTls, type PeerTls } from '../rpc/peer-tls.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { certificatesOf } from '../testing/test-certificates.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { testLog } from '../testing/test-log.ts';
import { createServiceHost } from './service-app.ts';

let keys: TestKeys;
beforeAll(async () => {
  keys = await createTestKeys();
});
afterAll(() => keys.close());

interface Differently {
  readonly drainMs?: number;
  readonly stopMs?: number;
  readonly tls?: PeerTls;
}

function createHost(
  methods: Parameters<typeof createTestService>[0],
  handlers: Implementation['handlers'] = {},
  { drainMs = 0, stopMs = 25_000, tls }: Differently = {},
) {
  return createServiceHost({
    service: 'survey',
    config: {
      host: '127.0.0.1',
      httpPort: 0,
      grpcPort: 0,
      adminPort: 0,
      drainMs,
      stopMs,
      internalJwksFile: keys.jwksFile,
    },
    log: testLog,
    registry: new Registry(),
    implementations: [{ service: createTestService(methods), handlers }],
    checks: { database: async () => {}, queue: () => Promise.reject(new Error('away')) },
    tls,
  });
}

const at = (value: string) => ({ pattern: { case: 'get', value } }) as const;

describe('a service', () => {
  it('does not come up with an operation that has no access option', async () => {
    await expect(createHost([{ name: 'Open', http: at('/open') }])).rejects.toThrow('has no access option');
  });

  it('does not start with ambiguous routes', async () => {
    const methods = [
      { name: 'One', http: at('/things/{id}'), access: anyone },
      { name: 'Two', http: at('/things/{other}'), access: anyone },
    ];
    await expect(createHost(methods)).rejects.toThrow('are ambiguous');
  });

  it('is ready while it serves, even without Kafka, and finishes running requests before it ends', async () => {
    let reply = (_: { text: string }) => {};
    const called = Promise.withResolvers<void>();
    const slow = () => {
      called.resolve();
      return new Promise((resolve) => {
        reply = resolve;
      });
    };
    const host = await createHost([{ name: 'Slow', http: at('/slow'), access: anyone }], { slow });
    const { httpPort, adminPort } = await host.start();
    const ready = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, checks: { database: true, queue: false } },
    ]);
    expect((await fetch(`http://127.0.0.1:${adminPort}/livez`)).status).toBe(200);

    const token = await (await keys.minterOf('gateway')).mint('survey', {});
    const running = fetch(`http://127.0.0.1:${httpPort}/v1/slow`, { headers: { authorization: `Bearer ${token}` } });
    await called.promise;
    await host.drain();
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(503);
    const finished = host.finish();
    reply({ text: 'late' });
    expect(await (await running).json()).toEqual({ text: 'late' });
    await finished;
    expect((await fetch(`http://127.0.0.1:${adminPort}/livez`)).status).toBe(200);
    await host.close();
    await expect(fetch(`http://127.0.0.1:${adminPort}/livez`)).rejects.toThrow();
  });

  it('stops without a drain if it never served, as after set-up', async () => {
    const host = await createHost([], {}, { drainMs: 2 ** 30 });
    // With a drain, the test would exceed its time limit.
    await expect(host.drain()).resolves.toBeUndefined();
    await host.finish();
    await host.close();
  });

  it('aborts hanging requests in time for the rest of the stop', async () => {
    const called = Promise.withResolvers<void>();
    const hang = () => {
      called.resolve();
      return new Promise(() => {});
    };
    const host = await createHost([{ name: 'Hang', http: at('/hang'), access: anyone }], { hang }, { stopMs: 100 });
    const { httpPort } = await host.start();
    const token = await (await keys.minterOf('gateway')).mint('survey', {});
    const hanging = fetch(`http://127.0.0.1:${httpPort}/v1/hang`, { headers: { authorization: `Bearer ${token}` } });
    await called.promise;
    const failed = expect(hanging).rejects.toThrow();
    await host.finish();
    await failed;
    await host.close();
  });

  it('requires certificates for REST and gRPC if it has one, but not for probes', async () => {
    const tls = await createPeerTls({ folder: certificatesOf('first'), log: testLog });
    const host = await createHost([{ name: 'Some', http: at('/some'), access: anyone }], { some: () => ({}) }, { tls });
    const { httpPort, grpcPort, adminPort } = await host.start();
    for (const port of [httpPort, grpcPort]) {
      const connect = (options: object) =>
        new Promise((resolve, reject) => {
          const socket = connectTls({ host: 'localhost', port, ALPNProtocols: ['h2', 'http/1.1'], ...options });
          // With TLS 1.3, the server rejects after the client has finished its handshake.
          socket
            .once('data', resolve)
            .once('error', reject)
            .once('secureConnect', () => socket.end('GET /'));
          socket.once('close', () => resolve(undefined));
        });
      await expect(connect(tls.current())).resolves.not.toThrow();
      await expect(connect({ ca: tls.current().ca })).rejects.toThrow(/certificate required/);
    }
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(200);
    await host.finish();
    await host.close();
    tls.close();
  });
});
