import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHost, type Host } from '../process/host.ts';
import { startTime } from '../process/start-time.js';
import { toPaths } from './folder.ts';
import type { PartPlan, Variables } from './parts.ts';
import { startParts } from './start-parts.ts';

const script = fileURLToPath(new URL('fixtures/fake-service.ts', import.meta.url));

let folder: string;
let host: Host;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parts-'));
  host = createHost();
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

async function planPart(name: string, env: Variables = {}): Promise<PartPlan> {
  const port = await host.ports.claim(18_100);
  const address = `http://127.0.0.1:${port}`;
  return { name, script, env: { ADMIN_PORT: String(port), ...env }, http: address, admin: address };
}

async function start(survey: Variables = {}) {
  const plan = {
    gateway: await planPart('gateway'),
    services: [await planPart('survey', survey)],
    identityAddress: '',
  };
  const onRestarted = vi.fn();
  const parts = startParts(plan, { paths: toPaths(folder), env: {}, host, log: () => {}, onRestarted });
  return { plan, onRestarted, parts };
}

describe('startParts', { timeout: 20_000 }, () => {
  it('resolves when all are ready, and stops all of them', async () => {
    const { parts, plan } = await start();
    const { info, stop } = await parts;
    expect(info()).toEqual({
      gateway: { pid: expect.any(Number), http: plan.gateway.http, admin: plan.gateway.admin },
      survey: { pid: expect.any(Number), http: expect.any(String), admin: expect.any(String) },
    });
    const pids = Object.values(info()).map(({ pid = 0 }) => pid);
    await stop();
    expect(pids.map(startTime)).toEqual([undefined, undefined]);
  });

  it('starts one that was killed again, at the same address, and gives its new process id', async () => {
    const { parts, plan, onRestarted } = await start();
    const { info, stop } = await parts;
    const before = info().survey?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(onRestarted).toHaveBeenCalled(), 5_000);
    expect(info().survey?.pid).not.toBe(before);
    await vi.waitFor(async () => expect((await fetch(`${plan.services[0]?.admin}/readyz`)).ok).toBe(true), 5_000);
    await stop();
  });

  it('names the one that cannot start, with the end of its log, and leaves nothing running', async () => {
    const { parts, plan } = await start({ BROKEN: 'badly' });
    await expect(parts).rejects.toThrow(/survey did not start: it ended with exit code 1.*\nBROKEN is badly/);
    await expect(fetch(plan.gateway.admin)).rejects.toThrow();
  });
});
