import { type ChildProcess, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { join } from 'node:path';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestDns, type TestDns } from '../testing/network/test-dns.ts';
import { poll } from '../testing/poll.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { connectService } from './service-client.ts';

// grpc-js reads this variable when it is loaded, and then allows targets with a DNS server.
vi.hoisted(() => vi.stubEnv('GRPC_NODE_USE_ALTERNATIVE_RESOLVER', 'true'));

const script = join(import.meta.dirname, '../testing/processes/grpc-server-process.ts');
const MAX_AGE_MS = 1_000;

let keys: TestKeys;
let dns: TestDns;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  keys = await createTestKeys();
  dns = await startTestDns([]);
});
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  dns.close();
  await keys.close();
  vi.unstubAllEnvs();
});

/** A server on its own address, and its port. */
function startServer(host: string, port: number): Promise<{ kill(): void; port: number }> {
  const args = [script, host, String(port), keys.jwksFile, String(MAX_AGE_MS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  processes.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server at ${host} ended`)));
    child.stdout.once('data', (line) => resolve({ kill: () => child.kill('SIGKILL'), port: Number(line) }));
  });
}

/** Calls continuously, and counts the replies per server. */
function startLoad(call: () => Promise<{ readonly role: string }>) {
  let counts = new Map<string, number>();
  const failures: unknown[] = [];
  let stopped = false;
  const callers = Array.from({ length: 16 }, async () => {
    while (!stopped) {
      try {
        const { role } = await call();
        counts.set(role, (counts.get(role) ?? 0) + 1);
      } catch (error) {
        failures.push(error);
      }
    }
  });
  return {
    failures,
    /** Share of each server in the next 400 calls. */
    async nextShares(): Promise<ReadonlyMap<string, number>> {
      counts = new Map();
      const total = await poll(() => {
        const sum = [...counts.values()].reduce((a, b) => a + b, 0);
        return sum >= 400 && sum;
      });
      return new Map([...counts].map(([host, count]) => [host, count / total]));
    },
    async stop() {
      stopped = true;
      await Promise.all(callers);
    },
  };
}

// Only Linux has all of 127.0.0.0/8 without configuration.
describe.skipIf(platform() !== 'linux')('calls to a name with several servers', () => {
  it('use all of them, and none fails when one is killed and another one is added', async () => {
    const [a, b, c] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
    const first = await startServer(a, 0);
    await startServer(b, first.port);
    dns.setAddresses([a, b]);
    const connection = connectService({
      name: 'identity',
      address: `dns://127.0.0.1:${dns.port}/identity.test:${first.port}`,
      minter: await keys.minterOf('gateway'),
    });
    const client = connection.client(PermissionService);
    const load = startLoad(() => client.getPermissions({}));
    try {
      await poll(async () => {
        const shares = await load.nextShares();
        return [a, b].every((host) => (shares.get(host) ?? 0) > 0.3);
      });

      first.kill();
      await startServer(c, first.port);
      dns.setAddresses([b, c]);
      await poll(async () => {
        const shares = await load.nextShares();
        return !shares.has(a) && [b, c].every((host) => (shares.get(host) ?? 0) > 0.3);
      });
    } finally {
      await load.stop();
      connection.close();
    }
    expect(load.failures).toEqual([]);
  });
});
