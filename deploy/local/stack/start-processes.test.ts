import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHost, type Host } from '../process/host.ts';
import { startTime } from '../process/start-time.js';
import { toPaths } from './folder.ts';
import type { ProcessPlan, Variables } from './plan-processes.ts';
import { startProcesses } from './start-processes.ts';

const script = fileURLToPath(new URL('fixtures/fake-service.ts', import.meta.url));

let folder: string;
let host: Host;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'processes-'));
  host = createHost();
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

async function planProcess(name: string, env: Variables = {}): Promise<ProcessPlan> {
  const port = await host.ports.claim(18_100);
  const address = `http://127.0.0.1:${port}`;
  return { name, script, env: { ADMIN_PORT: String(port), ...env }, http: address, admin: address };
}

async function start(survey: Variables = {}) {
  const plan = {
    gateway: await planProcess('gateway'),
    services: [await planProcess('survey', survey)],
    identityAddress: '',
  };
  const onRestarted = vi.fn();
  const processes = startProcesses(plan, { paths: toPaths(folder), env: {}, host, log: () => {}, onRestarted });
  return { plan, onRestarted, processes };
}

describe('startProcesses', () => {
  it('resolves when all processes are ready, and stops them', async () => {
    const { processes, plan } = await start();
    const { info, stop } = await processes;
    expect(info()).toEqual({
      gateway: { pid: expect.any(Number), http: plan.gateway.http, admin: plan.gateway.admin },
      survey: { pid: expect.any(Number), http: expect.any(String), admin: expect.any(String) },
    });
    const pids = Object.values(info()).map(({ pid = 0 }) => pid);
    await stop();
    expect(pids.map(startTime)).toEqual([undefined, undefined]);
  });

  it('restarts a killed process at the same address, and updates its process id', async () => {
    const { processes, plan, onRestarted } = await start();
    const { info, stop } = await processes;
    const before = info().survey?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await expect.poll(() => onRestarted).toHaveBeenCalled();
    expect(info().survey?.pid).not.toBe(before);
    await poll(async () => (await fetch(`${plan.services[0]?.admin}/readyz`)).ok);
    await stop();
  });

  it('names the process that cannot start, with its last log lines, and stops the others', async () => {
    const { processes, plan } = await start({ BROKEN: 'badly' });
    await expect(processes).rejects.toThrow(/survey did not start: it ended with exit code 1.*\nBROKEN is badly/);
    await expect(fetch(plan.gateway.admin)).rejects.toThrow();
  });
});
