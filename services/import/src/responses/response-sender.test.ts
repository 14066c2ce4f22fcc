import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { BatchItem } from '../reading/batches.ts';
import { createRetry } from '../retries/retry-policy.ts';
import type { ResponseClient } from './response-client.ts';
import { type SentBatch, sendResponses, type UnsentBatch } from './response-sender.ts';

const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined, language: undefined };
const payload = { id: '', answers: '{}', ...nothing, metadata: undefined, allowsMissing: false };
const sendable = (index: number) => ({ index, id: '', payload, omissions: [], lacksValues: false });

async function* batchOf(items: readonly BatchItem[]): AsyncGenerator<UnsentBatch> {
  yield { first: 0, items, batches: 1 };
}

/** Batches of 200 responses. */
async function* responses(count: number): AsyncGenerator<UnsentBatch> {
  for (let first = 0; first < count; first += 200) {
    const items = Array.from({ length: Math.min(200, count - first) }, (_, index) => sendable(first + index));
    yield { first, items, batches: first / 200 + 1 };
  }
}

function sendingTo(onBatch: (batch: SentBatch) => Promise<void>) {
  return {
    client: { store: async (_importer: unknown, _to: unknown, batch: readonly unknown[]) => batch.map(stored) },
    caller: { tenantId: toTenantId('t'), actor: 'user-1', requestId: '', traceparent: '' },
    surveyId: 's',
    emitEvents: true,
    begunAt: new Date(0),
    wasSentBefore: false,
    retry: createRetry({ retryForMs: 0, shouldContinue: () => true, now: () => 0 }),
    shouldContinue: () => true,
    onBatch,
  };
}

function stored() {
  return { outcome: 'imported' as const };
}

describe('sendResponses', () => {
  it('reports rejected responses with their row, and the column that the service names', async () => {
    const paths = ['', '/data/a~1b', '/language'];
    const rows: readonly BatchItem[] = [
      ...paths.map((_, index) => ({ ...sendable(index), row: index + 2 })),
      { index: 3, id: 'x', row: 5, column: 'status', code: 'BAD_STATUS', detail: 'open' },
    ];
    const rejected: SentBatch['rejected'][number][] = [];
    const sending = {
      ...sendingTo(async (batch) => void rejected.push(...batch.rejected)),
      client: {
        store: async () => paths.map((path) => ({ outcome: 'failed', code: 'INVALID', detail: 'no', path }) as const),
      },
    };
    await sendResponses(sending, batchOf(rows));
    expect(rejected).toEqual([
      { index: 0, id: '', row: 2, code: 'INVALID', detail: 'no' },
      { index: 1, id: '', row: 3, column: 'a/b', code: 'INVALID', detail: 'no' },
      { index: 2, id: '', row: 4, column: 'language', code: 'INVALID', detail: 'no' },
      { index: 3, id: 'x', row: 5, column: 'status', code: 'BAD_STATUS', detail: 'open' },
    ]);
  });

  it('counts responses that are stored in part, and those that are left out', async () => {
    const kinds: readonly BatchItem[] = [
      sendable(0),
      { ...sendable(1), lacksValues: true },
      { ...sendable(2), lacksValues: true },
      { index: 3, id: '', isLeftOut: true },
      { index: 4, id: '', code: 'X', detail: 'x' },
    ];
    const outcomes = [{ outcome: 'imported' }, { outcome: 'imported' }, { outcome: 'skipped' }] as const;
    const batches: SentBatch[] = [];
    const sending = sendingTo(async (batch) => void batches.push(batch));
    await sendResponses({ ...sending, client: { store: async () => outcomes } }, batchOf(kinds));
    expect(batches).toMatchObject([{ rows: 5, imported: 2, importedInPart: 1, skipped: 1, leftOut: 1 }]);
    expect(batches[0]?.rejected).toHaveLength(1);
  });

  it('says that a batch may have been stored when it sends the batch again', async () => {
    const said: boolean[] = [];
    const store: ResponseClient['store'] = async (_caller, { wasSentBefore }, batch) => {
      said.push(wasSentBefore);
      if (said.length === 1) throw new AppError('UNAVAILABLE');
      return batch.map(stored);
    };
    const retry = createRetry({ retryForMs: 60_000, shouldContinue: () => true, now: () => performance.now() });
    const send = (wasSentBefore: boolean) =>
      sendResponses({ ...sendingTo(async () => {}), client: { store }, retry, wasSentBefore }, responses(1));
    await send(false);
    expect(said).toEqual([false, true]);
    await send(true);
    expect(said).toEqual([false, true, true]);
  });

  it('counts nothing after a batch whose progress could not be saved', async () => {
    const counted: number[] = [];
    const sending = sendingTo(async ({ first }) => {
      counted.push(first);
      if (first === 200) throw new Error('the database is away');
    });
    await expect(sendResponses(sending, responses(2_000))).rejects.toThrow('the database is away');
    expect(counted).toEqual([0, 200]);
  });

  it('waits for running batches before it reports such a failure, so that none is stored later', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const sending = {
      ...sendingTo(() => Promise.reject(new Error('the database is away'))),
      client: {
        async store(_importer: unknown, _to: unknown, batch: readonly unknown[]) {
          running += 1;
          if (running === 4) setImmediate(gate.resolve);
          if (running > 1) await gate.promise;
          running -= 1;
          return batch.map(stored);
        },
      },
    };
    await expect(sendResponses(sending, responses(800))).rejects.toThrow('the database is away');
    expect(running).toBe(0);
  });

  it('reports the omissions of responses that are stored, not of rejected ones', async () => {
    const omission = { column: 'c', code: 'X', detail: 'x', action: 'kept' } as const;
    const all = [0, 1, 2].map((index) => ({ ...sendable(index), omissions: [omission] }));
    const failed = { outcome: 'failed', code: 'X', detail: 'x', path: '' } as const;
    const stored: SentBatch['storedResponses'][number][] = [];
    const sending = sendingTo(async (batch) => void stored.push(...batch.storedResponses));
    const store = async () => [{ outcome: 'imported' } as const, failed, { outcome: 'skipped' } as const];
    await sendResponses({ ...sending, client: { store } }, batchOf(all));
    expect(stored.map(({ index, omissions }) => [index, omissions])).toEqual([
      [0, [omission]],
      [2, [omission]],
    ]);
  });

  it('counts the batches before one that cannot be read', async () => {
    const counted: number[] = [];
    const sending = sendingTo(async ({ first, batches }) => void counted.push(first, batches));
    const broken = async function* (): AsyncGenerator<UnsentBatch> {
      yield* responses(400);
      throw new Error('it is gone');
    };
    await expect(sendResponses(sending, broken())).rejects.toThrow('it is gone');
    expect(counted).toEqual([0, 1, 200, 2]);
  });
});
