import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Link } from '../links/link.ts';
import type { KeyScope } from '../responses/idempotency.ts';
import type { Response } from '../responses/response.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import { type ReplacedState, type StoredState, toReplaced } from '../responses/response-state-store.ts';
import { type Submission, toComparable } from './submission.ts';

/** A submission with the key of its request. */
export interface SubmissionCall {
  readonly submission: Submission;
  readonly idempotencyKey: string | undefined;
  /** The authenticated caller. The same request of another caller is a different request. */
  readonly requester?: JsonObject;
}

/** A submission with all keys that can identify it: an `Idempotency-Key`, the token of a single-use link, or both. */
interface KeyedCall extends SubmissionCall {
  readonly tenantId: TenantId;
  readonly scope: KeyScope;
  readonly token: { readonly linkId: string; readonly text: string } | undefined;
}

/** Recognizes a repeated request. */
export interface RequestIdentity {
  readonly tenantId: TenantId;
  /** Possible ids of the response. The second one is used only if the response cannot have the first. */
  readonly ids: readonly [string, string];
  /** Equal for equal requests. */
  readonly comparable: string;
  /** The error for another request with the same key. */
  readonly reusedCode: 'IDEMPOTENCY_KEY_REUSED' | 'LINK_USED_UP';
  /** The error for a repeated request whose response has been deleted. */
  readonly deletedCode: 'RESPONSE_DELETED' | 'LINK_USED_UP';
}

/** Where to store the response of a request. */
export interface Target {
  readonly id: string;
  /** The tombstone that has the id; undefined without one. Read it before the response claims files. */
  readonly replaced: ReplacedState | undefined;
}

/** The reason for not storing the response of a request. `id-taken`: the document that has the id has changed. */
export type NotStored =
  | { readonly kind: 'rejected'; readonly error: unknown }
  | { readonly kind: 'files-rejected'; readonly error: unknown }
  | { readonly kind: 'id-taken' };

interface Dependencies {
  readonly store: Pick<ResponseStore, 'find' | 'findStates'>;
  readonly sealer: Pick<ResponseSealer, 'idsOfKey' | 'isSameRequest' | 'open'>;
  readonly newId: () => string;
}

/** Recognizes repeated requests and finds the responses of the first ones. */
export function createReplays({ store, sealer, newId }: Dependencies) {
  const idsOfToken = (tenantId: TenantId, linkId: string, token: string) =>
    sealer.idsOfKey(tenantId, { kind: 'link-token', id: linkId }, token);

  /**
   * Returns the response that an earlier request with the key has stored. Throws if that request differs from this one.
   */
  async function findFirst({ tenantId, ids, comparable, reusedCode }: RequestIdentity): Promise<Response | undefined> {
    for (const id of ids) {
      const sealed = await store.find(tenantId, id);
      // A response without a hash was imported, so it is a different response that has the same id.
      if (sealed?.requestHash === undefined) continue;
      const response = await sealer.open(sealed);
      const isSame = await sealer.isSameRequest(tenantId, sealed.requestHash, comparable);
      if (!isSame) throw new AppError(reusedCode);
      return response;
    }
    return undefined;
  }

  /**
   * Returns the first id that a keyed request can use. Throws if the response was deleted: it stays deleted. Throws
   * `reusedCode` if other responses have both ids, so that the key can never be used.
   */
  async function findTarget({ tenantId, ids, reusedCode, deletedCode }: RequestIdentity): Promise<Target> {
    const states = await store.findStates(ids);
    if (ids.some((id) => states.get(id)?.kind === 'deleted')) throw new AppError(deletedCode);
    const id = ids.find((one) => !isUnavailable(states.get(one), tenantId));
    if (id === undefined) throw new AppError(reusedCode);
    return { id, replaced: toReplaced(states.get(id)) };
  }

  return {
    /** Returns undefined for a request without a key. */
    async identify(call: KeyedCall): Promise<RequestIdentity | undefined> {
      const { tenantId, scope, token, idempotencyKey, submission, requester } = call;
      if (token !== undefined) {
        const ids = await idsOfToken(tenantId, token.linkId, token.text);
        // Only a request with the same `Idempotency-Key` may repeat the one that used the token.
        const comparable = `${idempotencyKey ?? newId()} ${toComparable(submission)}`;
        return { tenantId, ids, comparable, reusedCode: 'LINK_USED_UP', deletedCode: 'LINK_USED_UP' };
      }
      if (idempotencyKey === undefined) return undefined;
      const ids = await sealer.idsOfKey(tenantId, scope, idempotencyKey);
      const comparable = toComparable(submission, requester);
      return { tenantId, ids, comparable, reusedCode: 'IDEMPOTENCY_KEY_REUSED', deletedCode: 'RESPONSE_DELETED' };
    },

    /** Returns the response of an earlier request with the key, or the target of this one. Throws like `findTarget`. */
    find: async (identity: RequestIdentity): Promise<Response | Target> =>
      (await findFirst(identity)) ?? findTarget(identity),

    /**
     * Decides the next step of a request that could not store its response. Returns the response of an earlier request
     * with the same key, even if that request would be rejected now, or the target to try next. Otherwise throws.
     */
    async resolve(identity: RequestIdentity | undefined, result: NotStored): Promise<Response | Target> {
      const first = identity && (await findFirst(identity));
      if (first !== undefined) return first;
      if (result.kind === 'rejected') throw result.error;
      const target = identity === undefined ? { id: newId(), replaced: undefined } : await findTarget(identity);
      if (result.kind === 'files-rejected') throw result.error;
      return target;
    },

    /** Whether a response has used a token of a single-use link, even if the response is deleted. */
    async isUsed({ id, tenantId }: Link, token: string): Promise<boolean> {
      const states = await store.findStates(await idsOfToken(tenantId, id, token));
      return states.values().some((state) => state.kind === 'deleted' || isOfKeyedRequest(state, tenantId));
    },
  };
}

/**
 * Whether no keyed request can ever store a response under an id. Only then may a request use its second id. Otherwise,
 * a concurrent request with the same key could store the same response under the first id.
 */
function isUnavailable(state: StoredState | undefined, tenantId: TenantId): boolean {
  if (state?.kind === 'stored') return !isOfKeyedRequest(state, tenantId);
  return state?.kind === 'purged';
}

/** Whether a keyed request of the tenant has stored a response. */
function isOfKeyedRequest(state: StoredState, tenantId: TenantId): boolean {
  return state.kind === 'stored' && state.tenantId === tenantId && state.isKeyed;
}
