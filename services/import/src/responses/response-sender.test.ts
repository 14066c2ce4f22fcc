import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { ReadItem, ReadResponse } from '../reading/read-import.ts';
import { createRetry } from '../retries/retry-policy.ts';
import type { ResponseClient } from './response-client.ts';
import { type SentBatch, sendResponses } from './response-sender.ts';

const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined, language: undefined };
const fitted = { metadata: undefined, omissions: [], isPartial: false, allowsMissing: false };
async function* responses(count: number): AsyncGenerator<ReadItem> {
  for (let index = 0; index < count; index += 1) yield { index, id: '', answers: '{}', ...nothing, ...fitted };
}

function sendingTo(onBatch: (batch: SentBatch) => Promise<void>, toPayload?: (response: ReadResponse) => never) {
  return {
    client: { store: async (_importer: unknown, _to: unknown, batch: readonly unknown[]) => batch.map(stored) },
    caller: { tenantId: toTenantId('t'), actor: 'user-1', requestId: '', traceparent: '' },
    surveyId: 's',
    emitEvents: true,
    begunAt: new Date(0),
    wasSentBefore: false,
    toPayload: toPayload ?? ((response: ReadResponse) => ({ ...response, id: String(response.index) })),
    skip: 0,
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
    const rows = async function* (): AsyncGenerator<ReadItem> {
      const details = { ...nothing, ...fitted };
      for (const [index] of paths.entries()) yield { index, id: '', row: index + 2, answers: '{}', ...details };
      yield { index: 3, id: 'x', row: 5, column: 'status', code: 'BAD_STATUS', detail: 'open' };
    };
    const rejected: SentBatch['rejected'][number][] = [];
    const sending = {
      ...sendingTo(async (batch) => void rejected.push(...batch.rejected)),
      client: {
        store: async () => paths.map((path) => ({ outcome: 'failed', code: 'INVALID', detail: 'no', path }) as const),
      },
    };
    await sendResponses(sending, rows());
    expect(rejected).toEqual([
      { index: 0, id: '', row: 2, code: 'INVALID', detail: 'no' },
      { index: 1, id: '', row: 3, column: 'a/b', code: 'INVALID', detail: 'no' },
      { index: 2, id: '', row: 4, column: 'language', code: 'INVALID', detail: 'no' },
      { index: 3, id: 'x', row: 5, column: 'status', code: 'BAD_STATUS', detail: 'open' },
    ]);
  });

  it('counts responses that are stored in part, and those that are left out', async () => {
    const kinds = async function* (): AsyncGenerator<ReadItem> {
      const one = { id: '', answers: '{}', ...nothing, ...fitted };
      yield { ...one, index: 0 };
      yield { ...one, index: 1, isPartial: true };
      yield { ...one, index: 2, isPartial: true };
      yield { index: 3, id: '', isLeftOut: true };
      yield { index: 4, id: '', code: 'X', detail: 'x' };
    };
    const outcomes = [{ outcome: 'imported' }, { outcome: 'imported' }, { outcome: 'skipped' }] as const;
    const batches: SentBatch[] = [];
    const sending = sendingTo(async (batch) => void batches.push(batch));
    await sendResponses({ ...sending, client: { store: async () => outcomes } }, kinds());
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
    const all = async function* (): AsyncGenerator<ReadItem> {
      const one = { id: '', answers: '{}', ...nothing, ...fitted, omissions: [omission] };
      for (const index of [0, 1, 2]) yield { ...one, index };
    };
    const failed = { outcome: 'failed', code: 'X', detail: 'x', path: '' } as const;
    const stored: SentBatch['storedResponses'][number][] = [];
    const sending = sendingTo(async (batch) => void stored.push(...batch.storedResponses));
    const store = async () => [{ outcome: 'imported' } as const, failed, { outcome: 'skipped' } as const];
    await sendResponses({ ...sending, client: { store } }, all());
    expect(stored.map(({ index, omissions }) => [index, omissions])).toEqual([
      [0, [omission]],
      [2, [omission]],
    ]);
  });

  it('counts nothing after a batch that could not be built', async () => {
    const counted: number[] = [];
    const sending = sendingTo(
      async ({ first }) => {
        counted.push(first);
      },
      (response) => {
        if (response.index === 250) throw new Error('no such response');
        return { ...response, id: String(response.index) } as never;
      },
    );
    await expect(sendResponses(sending, responses(2_000))).rejects.toThrow('no such response');
    expect(counted).toEqual([0]);
  });
});
