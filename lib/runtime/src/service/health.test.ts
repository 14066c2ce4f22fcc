import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createHealth } from './health.ts';

describe('createHealth', () => {
  it('is ready if its required dependencies are up and the process serves', async () => {
    let now = 0;
    let works = true;
    const health = createHealth({
      checks: { database: async () => (works ? undefined : Promise.reject(new Error('away'))) },
      needed: ['database'],
      registry: new Registry(),
      now: () => now,
    });
    expect(await health.isReady()).toBe(false);
    health.setServing(true);
    expect(await health.isReady()).toBe(true);
    works = false;
    now += 2_000;
    expect([await health.isReady(), await health.check()]).toEqual([false, { database: false }]);
    works = true;
    now += 2_000;
    expect(await health.isReady()).toBe(true);
    health.setServing(false);
    expect(await health.isReady()).toBe(false);
  });

  it('stays ready if an optional dependency is down, and reports that', async () => {
    const checks = { database: async () => {}, queue: () => Promise.reject(new Error('away')) };
    const health = createHealth({ checks, needed: ['database'], registry: new Registry() });
    health.setServing(true);
    expect(await health.isReady()).toBe(true);
    expect(await health.check()).toEqual({ database: true, queue: false });
  });

  it('reports readiness and dependencies in its metrics', async () => {
    const registry = new Registry();
    const checks = { database: async () => {}, queue: () => Promise.reject(new Error('away')) };
    const health = createHealth({ checks, needed: ['database'], registry });
    expect(await registry.metrics()).toContain('process_ready 0\n');
    health.setServing(true);
    const page = await registry.metrics();
    expect(page).toContain('process_ready 1\n');
    expect(page).toContain('dependency_up{dependency="database"} 1\n');
    expect(page).toContain('dependency_up{dependency="queue"} 0\n');
  });

  it('checks a dependency once for concurrent and soon following callers', async () => {
    let now = 0;
    let asked = 0;
    const count = async () => {
      asked += 1;
    };
    const health = createHealth({ checks: { database: count }, needed: [], registry: new Registry(), now: () => now });
    await Promise.all([health.check(), health.check()]);
    now += 900;
    await health.check();
    expect(asked).toBe(1);
    now += 200;
    await health.check();
    expect(asked).toBe(2);
  });

  it('caches results from the time that they arrive', async () => {
    let now = 0;
    let asked = 0;
    const slow = async () => {
      asked += 1;
      now += 1_500;
      throw new Error('away');
    };
    const health = createHealth({
      checks: { database: slow },
      needed: ['database'],
      registry: new Registry(),
      now: () => now,
    });
    expect([await health.isReady(), await health.check()]).toEqual([false, { database: false }]);
    expect(asked).toBe(1);
  });

  it('reports a dependency that does not reply as down', async () => {
    const health = createHealth({
      checks: { queue: () => new Promise(() => {}) },
      needed: [],
      registry: new Registry(),
    });
    expect(await health.check()).toEqual({ queue: false });
  });
});
