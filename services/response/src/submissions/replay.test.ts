import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { StoredState } from '../responses/response-state-store.ts';
import { createReplays, type NotStored, type RequestIdentity } from './replay.ts';

const tenantId = toTenantId('t');
const identity: RequestIdentity = {
  tenantId,
  ids: ['first', 'second'],
  comparable: '',
  reusedCode: 'IDEMPOTENCY_KEY_REUSED',
  deletedCode: 'RESPONSE_DELETED',
};
const stored = { kind: 'stored', tenantId, surveyId: 's', status: 'completed', revision: 1, isKeyed: true } as const;
const idTaken: NotStored = { kind: 'id-taken' };
const filesRejected: NotStored = { kind: 'files-rejected', error: new AppError('INVALID_ANSWERS', { errors: [] }) };

/** Resolves a request without a stored response, when the id has this state. */
function resolve(state: StoredState | undefined, result: NotStored, { id = 'first', identified = true } = {}) {
  const dependencies = {
    store: {
      find: async () => undefined,
      findStates: async () => new Map(state === undefined ? [] : [[id, state]]),
    },
    // `resolve` uses no more of these if no response is found.
  } as unknown as Parameters<typeof createReplays>[0];
  return createReplays(dependencies).resolve(identified ? identity : undefined, id, result);
}

describe('a request that could not store its response', () => {
  it.each<[string, StoredState | undefined]>([
    ['is free again', undefined],
    ['was fenced', { kind: 'void', revision: 0 }],
    ['is being stored by a concurrent request with the key', stored],
  ])('tries its first id again if this %s', async (_case, state) => {
    expect(await resolve(state, idTaken)).toEqual({ nextId: 'first' });
    expect(await resolve(state, idTaken, { identified: false })).toEqual({ nextId: 'first' });
    await expect(resolve(state, filesRejected)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' });
  });

  it.each<[string, StoredState]>([
    ['an imported response', { ...stored, isKeyed: false }],
    ['a response of another tenant', { ...stored, tenantId: toTenantId('u') }],
    ['a blocked write', { kind: 'blocked', revision: 0 }],
  ])('tries its second id if the first one belongs to %s', async (_case, state) => {
    for (const result of [idTaken, filesRejected]) expect(await resolve(state, result)).toEqual({ nextId: 'second' });
    await expect(resolve(state, filesRejected, { id: 'second' })).rejects.toMatchObject({ code: 'INVALID_ANSWERS' });
  });

  it('is rejected if its response is deleted', async () => {
    const deleted = { kind: 'deleted', surveyId: 's', revision: 2, at: new Date() } as const;
    for (const id of identity.ids)
      await expect(resolve(deleted, idTaken, { id })).rejects.toMatchObject({ code: 'RESPONSE_DELETED' });
  });
});
