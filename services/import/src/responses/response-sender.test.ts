import type { FileResponse, ReadResponse } from '@survey/formats/shared/file-response';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { createRetry } from '../retries/retry-policy.ts';
import { type SentBatch, sendResponses } from './response-sender.ts';

const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined, language: undefined };
async function* responses(count: number): AsyncGenerator<FileResponse> {
  for (let index = 0; index < count; index += 1) yield { index, id: '', answers: {}, ...nothing, metadata: undefined };
}

function sendingTo(onBatch: (batch: SentBatch) => Promise<void>, toStored?: (response: ReadResponse) => never) {
  return {
    client: { store: async (_importer: unknown, _to: unknown, batch: readonly unknown[]) => batch.map(stored) },
    importer: { tenantId: toTenantId('t'), actor: 'user-1', requestId: '', traceparent: '' },
    surveyId: 's',
    silent: false,
    begunAt: new Date(0),
    toStored: toStored ?? ((response: ReadResponse) => ({ ...response, id: String(response.index) })),
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
  it('counts nothing after a batch whose progress could not be saved', async () => {
    const counted: number[] = [];
    const sending = sendingTo(async ({ first }) => {
      counted.push(first);
      if (first === 200) throw new Error('the database is away');
    });
    await expect(sendResponses(sending, responses(2_000))).rejects.toThrow('the database is away');
    expect(counted).toEqual([0, 200]);
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
