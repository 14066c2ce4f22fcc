import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { Binary } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ReplacedState, StoredState } from '../responses/response-document-store.ts';
import { createReplays, type NotStored, type RequestIdentity } from './replay.ts';

const tenantId = toTenantId('t');
const identity: RequestIdentity = {
  tenantId,
  ids: ['first', 'second'],
  comparable: '',
  tokenSurveyId: undefined,
  isUsed: false,
  toReusedError: () => new AppError('IDEMPOTENCY_KEY_REUSED'),
  toDeletedError: () => new AppError('RESPONSE_DELETED'),
};
const requestHash = { kv: 1, mac: new Binary(Buffer.from('mac')) };
const state = { tenantId, surveyId: 's', status: 'completed', revision: 1, createdAt: new Date() } as const;
const stored = { kind: 'stored', ...state, requestHash } as const;
const idTaken: NotStored = { kind: 'id-taken' };
const filesRejected: NotStored = { kind: 'files-rejected', error: new AppError('INVALID_ANSWERS', { errors: [] }) };

/** Resolves a request without a stored response. Its ids have these states. */
function resolve(
  states: Readonly<Record<string, StoredState | undefined>>,
  result: NotStored,
  { identified = true, tokenSurveyId }: { readonly identified?: boolean; readonly tokenSurveyId?: string } = {},
) {
  const found = Object.entries(states).flatMap(([id, state]) => (state === undefined ? [] : [[id, state] as const]));
  const dependencies = {
    store: { find: async () => undefined, findStates: async () => new Map(found) },
    newId: () => 'random',
    // `resolve` uses only these properties if it finds no response.
  } as unknown as Parameters<typeof createReplays>[0];
  return createReplays(dependencies).resolve(identified ? { ...identity, tokenSurveyId } : undefined, result);
}

describe('a request that could not store its response', () => {
  it.each<[string, StoredState | undefined, ReplacedState | undefined]>([
    ['is free again', undefined, undefined],
    ['was fenced', { kind: 'void', status: 'void', revision: 2 }, { status: 'void', revision: 2 }],
    ['lost its files', { kind: 'void', status: 'blocked', revision: 0 }, { status: 'blocked', revision: 0 }],
    ['is being stored by a concurrent request with the key', stored, undefined],
  ])('tries its first id again if this %s', async (_case, first, replaced) => {
    expect(await resolve({ first }, idTaken)).toEqual({ id: 'first', replaced });
    await expect(resolve({ first }, filesRejected)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' });
  });

  it('tries another id without a key', async () => {
    expect(await resolve({}, idTaken, { identified: false })).toEqual({ id: 'random', replaced: undefined });
  });

  it.each<[string, StoredState]>([
    ['an imported response', { ...stored, requestHash: undefined }],
    ['a response of another tenant', { ...stored, tenantId: toTenantId('u') }],
    ['a purged survey', { kind: 'purged', revision: 0 }],
  ])('tries its second id if the first one belongs to %s, and gets a final error if both do', async (_case, state) => {
    const second = { id: 'second', replaced: undefined };
    expect(await resolve({ first: state }, idTaken)).toEqual(second);
    const fenced = { kind: 'void', status: 'blocked', revision: 1 } as const;
    const replaced = { status: 'blocked', revision: 1 };
    expect(await resolve({ first: state, second: fenced }, idTaken)).toEqual({ ...second, replaced });
    await expect(resolve({ first: state, second: state }, idTaken)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('is rejected if the response of its token was deleted and imported again meanwhile', async () => {
    const imported = { ...stored, requestHash: undefined };
    const token = { tokenSurveyId: 's' };
    const rejected = { code: 'IDEMPOTENCY_KEY_REUSED' };
    await expect(resolve({ first: imported }, idTaken, token)).rejects.toMatchObject(rejected);
    await expect(resolve({ second: imported }, idTaken, token)).rejects.toMatchObject(rejected);
    const second = { id: 'second', replaced: undefined };
    expect(await resolve({ first: { ...imported, surveyId: 'other' } }, idTaken, token)).toEqual(second);
    expect(await resolve({ first: { ...imported, status: 'abandoned' } }, idTaken, token)).toEqual(second);
  });

  it('is rejected if its response is deleted, even if its first id is free', async () => {
    const deleted = {
      kind: 'deleted',
      surveyId: 's',
      revision: 2,
      at: new Date(),
      wasUnfinished: false,
      wasLinked: false,
    } as const;
    for (const id of identity.ids)
      await expect(resolve({ [id]: deleted }, idTaken)).rejects.toMatchObject({ code: 'RESPONSE_DELETED' });
  });
});
