import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSnapshots } from './snapshots.ts';

interface Thing {
  readonly tenantId: ReturnType<typeof toTenantId>;
  readonly state: string;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Starts with a cached snapshot `fine` that has expired. Further calls get these replies. */
async function startWithFine(replies: Readonly<Record<string, () => Promise<Thing>>>) {
  const thing = (state: string): Thing => ({ tenantId: toTenantId('t'), state });
  let time = 1;
  let given: typeof replies = { fine: async () => thing('known') };
  let findSaved: (key: string) => Promise<Thing | undefined> = async () => undefined;
  const snapshots = createSnapshots<Thing>({
    store: { find: (key) => findSaved(key), save: async () => {} },
    source: async (key) => given[key]?.(),
    isSame: (one, other) => one.state === other.state,
    toDeleted: (known) => known,
    tenants: { statusOf: async () => 'active' },
    sizeOf: () => 1,
    capacity: 10,
    log: testLog,
    clock: () => new Date(time),
    now: () => time,
  });
  const find = async (key: string) => (await snapshots.find(key, () => true))?.snapshot;
  await find('fine');
  given = { fine: () => new Promise((resolve) => setTimeout(resolve, 500, thing('changed'))), ...replies };
  time += 1_000;
  return {
    find,
    /** Sets the state in the store. */
    save(find: () => Promise<string>) {
      findSaved = async () => thing(await find());
      time += 1_000;
    },
  };
}

describe('a snapshot', () => {
  it('is cached for a second from the start of the call that read it, however long the call took', async () => {
    let time = 0;
    const calls: number[] = [];
    const thing: Thing = { tenantId: toTenantId('t'), state: 'open' };
    const snapshots = createSnapshots<Thing>({
      store: { find: async () => undefined, save: async () => {} },
      async source() {
        calls.push(time);
        time += 900;
        return thing;
      },
      isSame: () => true,
      toDeleted: (known) => known,
      tenants: { statusOf: async () => 'active' },
      sizeOf: () => 1,
      capacity: 10,
      log: testLog,
      clock: () => new Date(time),
      now: () => time,
    });
    const findAt = async (at: number) => {
      time = at;
      await snapshots.find('key', () => true);
    };
    for (const at of [0, 999, 1_000]) await findAt(at);
    expect(calls).toEqual([0, 1_000]);
  });
});

describe('a failing call to the survey service', () => {
  it.each([
    ['makes others use their snapshots if the service is not available', 'UNAVAILABLE', 'known'],
    ['makes others use their snapshots after a timeout', 'DEADLINE_EXCEEDED', 'known'],
    ['does not affect others if the service replied', 'INTERNAL', 'changed'],
  ] as const)('%s: %s', async (_case, code, state) => {
    const { find } = await startWithFine({ broken: () => Promise.reject(new AppError(code)) });
    await expect(find('broken')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
    const found = find('fine');
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toMatchObject({ state });
  });

  it('makes the caller use the snapshot', async () => {
    const { find } = await startWithFine({ fine: () => Promise.reject(new Error('a state that there is not')) });
    expect(await find('fine')).toMatchObject({ state: 'known' });
  });

  it('makes the caller use the snapshot that another process saved later, or its own if that cannot be read', async () => {
    const { find, save } = await startWithFine({ fine: () => Promise.reject(new AppError('UNAVAILABLE')) });
    save(async () => 'closed');
    expect(await find('fine')).toMatchObject({ state: 'closed' });
    save(() => Promise.reject(new Error('no database')));
    expect(await find('fine')).toMatchObject({ state: 'closed' });
  });
});
