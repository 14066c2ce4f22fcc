import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { KeyedHash } from '@survey/runtime/crypto/tenant-cipher';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Rejection } from '../responses/group-commit.ts';
import type { Response } from '../responses/response.ts';
import { type ReplacedState, type StoredState, toReplaced } from '../responses/response-document-store.ts';
import type { IdempotencyScope, ResponseSealer, TenantSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { LinkFields } from '../surveys/link.ts';
import { type Submission, toComparable } from './submission.ts';

/** A submission with the key of its request. */
export interface SubmissionCall {
  readonly submission: Submission;
  readonly idempotencyKey: string | undefined;
  /** The authenticated caller. Requests of two callers are never equal. */
  readonly requester?: JsonObject;
}

/** The destination of a submission. An idempotency key is valid for one destination. */
interface Address {
  readonly survey: Pick<CompiledSurvey, 'tenantId' | 'settings'>;
  readonly scope: IdempotencyScope;
  readonly link?: TokenLink;
  /** The token of a single-use link. It identifies the request like an `Idempotency-Key`. */
  readonly token?: string | undefined;
}

type TokenLink = Pick<LinkFields, 'id' | 'tenantId' | 'surveyId'>;

export interface RequestIdentity {
  readonly tenantId: TenantId;
  /** Possible ids of the response. The second id is used only if the first one is unavailable. */
  readonly ids: readonly [string, string];
  /** Text that is equal for equal requests. */
  readonly comparable: string;
  /** The survey of a single-use link. Undefined if no token identifies the request. */
  readonly tokenSurveyId: string | undefined;
  /** Whether an earlier request has used the key. If so, this request only gets the earlier response or an error. */
  readonly isUsed: boolean;
  /** Makes the error for another request with the same key. */
  readonly toReusedError: (first?: Pick<Response, 'id' | 'status'>) => AppError;
  /** Makes the error for a request whose response has been deleted. */
  readonly toDeletedError: (deleted: { readonly wasUnfinished: boolean }) => AppError;
}

/**
 * The latest attempt to respond with the token of a single-use link:
 *
 * - `open`: no response is stored yet.
 * - `taken`: a response is in progress or finished.
 * - `used`: the finished response was deleted, and possibly imported again.
 * - `freed`: the next attempt can begin. The response in progress was deleted or abandoned, or both ids are
 *   unavailable.
 */
interface Attempt {
  readonly number: number;
  readonly ids: readonly [string, string];
  readonly kind: 'open' | 'taken' | 'used' | 'freed';
  /** Hash of the request that stored the response, if known. */
  readonly requestHash?: KeyedHash | undefined;
}

/** The id with which to store the response of a request. */
export interface Target {
  readonly id: string;
  /** The tombstone that has the id, if any. Read it before the response claims files. */
  readonly replaced: ReplacedState | undefined;
}

/** The reason for not storing a response. `id-taken`: another write has stored or changed the document with this id. */
export type NotStored =
  | Rejection
  | { readonly kind: 'files-rejected'; readonly error: unknown }
  | { readonly kind: 'id-taken' };

interface Dependencies {
  readonly store: Pick<ResponseStore, 'find' | 'findStates'>;
  readonly sealer: Pick<ResponseSealer, 'forTenant' | 'isSameRequest' | 'open'>;
  readonly newId: () => string;
}

/** Number of attempts that one query reads. Few tokens have more than one attempt. */
const ATTEMPTS_READ = 4;

/** Recognizes repeated requests and finds the responses of the first requests. */
export function createReplays({ store, sealer, newId }: Dependencies) {
  const idsOfAttempt = ({ idsOfIdempotencyKey }: TenantSealer, { id }: TokenLink, token: string, attempt: number) =>
    idsOfIdempotencyKey({ kind: 'link-token', id, attempt }, token);

  /** Finds the latest attempt with a stored document. All earlier attempts are freed for good. */
  async function findAttempt(tenantSealer: TenantSealer, link: TokenLink, token: string): Promise<Attempt> {
    let latest: Attempt | undefined;
    for (let first = 1; ; first += ATTEMPTS_READ) {
      const numbers = Array.from({ length: ATTEMPTS_READ }, (_, index) => first + index);
      const read = numbers.map((number) => ({ number, ids: idsOfAttempt(tenantSealer, link, token, number) }));
      const states = await store.findStates(read.flatMap(({ ids }) => ids));
      for (const attempt of read) {
        const found = attempt.ids.flatMap((id) => states.get(id) ?? []);
        if (latest === undefined || found.length > 0)
          latest = { ...attempt, ...toAttemptState(found, link.tenantId, link.surveyId) };
      }
      if (latest !== undefined && latest.number !== numbers.at(-1)) return latest;
    }
  }

  async function identifyByToken(
    tenantSealer: TenantSealer,
    link: TokenLink,
    token: string,
    { idempotencyKey, submission }: SubmissionCall,
    isResumable: boolean,
  ): Promise<RequestIdentity> {
    const { tenantId, surveyId } = link;
    // Without an `Idempotency-Key`, no two requests are equal.
    const comparable = `${idempotencyKey ?? newId()} ${toComparable(submission)}`;
    const { number, ids, kind, requestHash } = await findAttempt(tenantSealer, link, token);
    const isFreed = kind === 'freed';
    const isRepeat =
      isFreed && requestHash !== undefined && (await sealer.isSameRequest(tenantId, requestHash, comparable));
    return {
      tenantId,
      comparable,
      tokenSurveyId: surveyId,
      ids: isFreed && !isRepeat ? idsOfAttempt(tenantSealer, link, token, number + 1) : ids,
      isUsed: kind === 'taken' || kind === 'used' || isRepeat,
      toReusedError(first) {
        if (first?.status === 'in_progress')
          return new AppError('RESPONSE_IN_PROGRESS', { responseId: isResumable ? first.id : undefined });
        return first?.status === 'abandoned' ? freedMeanwhile() : new AppError('LINK_TOKEN_USED');
      },
      toDeletedError({ wasUnfinished }) {
        if (!wasUnfinished) return new AppError('LINK_TOKEN_USED');
        return isRepeat ? new AppError('RESPONSE_DELETED') : freedMeanwhile();
      },
    };
  }

  /** Returns the response of an earlier request with the key. Throws if the earlier request differs from this one. */
  async function findFirst({
    tenantId,
    ids,
    comparable,
    toReusedError,
  }: RequestIdentity): Promise<Response | undefined> {
    for (const id of ids) {
      const sealed = await store.find(tenantId, id);
      // A response without a hash was imported: it is not of a request with this key.
      if (sealed?.requestHash === undefined) continue;
      const response = await sealer.open(sealed);
      const isSame = await sealer.isSameRequest(tenantId, sealed.requestHash, comparable);
      if (!isSame) throw toReusedError(response);
      return response;
    }
    return undefined;
  }

  /** Returns the first id that the request can use. Throws if the response was deleted, or both ids are unavailable. */
  async function findTarget(identity: RequestIdentity): Promise<Target> {
    const { tenantId, ids, tokenSurveyId, isUsed, toReusedError, toDeletedError } = identity;
    const states = await store.findStates(ids);
    const deleted = ids.map((id) => states.get(id)).find((state) => state?.kind === 'deleted');
    if (deleted !== undefined) throw toDeletedError(deleted);
    const isRestored = ids.some((one) => isImportedAgain(states.get(one), tenantId, tokenSurveyId));
    const id = ids.find((one) => !isUnavailable(states.get(one), tenantId));
    if (isUsed || isRestored || id === undefined) throw toReusedError();
    return { id, replaced: toReplaced(states.get(id)) };
  }

  return {
    /** Returns undefined for a request without a key. */
    async identify(
      tenantSealer: TenantSealer,
      { survey: { tenantId, settings }, scope, link, token }: Address,
      call: SubmissionCall,
    ): Promise<RequestIdentity | undefined> {
      const { idempotencyKey, submission, requester } = call;
      if (link !== undefined && token !== undefined)
        return identifyByToken(tenantSealer, link, token, call, settings.resumeAcrossDevices);
      if (idempotencyKey === undefined) return undefined;
      return {
        tenantId,
        ids: tenantSealer.idsOfIdempotencyKey(scope, idempotencyKey),
        comparable: toComparable(submission, requester),
        tokenSurveyId: undefined,
        isUsed: false,
        toReusedError: () => new AppError('IDEMPOTENCY_KEY_REUSED'),
        toDeletedError: () => new AppError('RESPONSE_DELETED'),
      };
    },

    /** Returns the response of an earlier request with the key, or the target. Throws like `findTarget`. */
    find: async (identity: RequestIdentity): Promise<Response | Target> =>
      (await findFirst(identity)) ?? findTarget(identity),

    /**
     * Decides the next step of a request that could not store its response. Returns the response of an earlier request
     * with the same key, or the target to try next. Otherwise, throws the error.
     */
    async resolve(identity: RequestIdentity | undefined, result: NotStored): Promise<Response | Target> {
      const first = identity && (await findFirst(identity));
      if (first !== undefined) return first;
      if (result.kind === 'rejected') throw result.error;
      const target = identity === undefined ? { id: newId(), replaced: undefined } : await findTarget(identity);
      if (result.kind === 'files-rejected') throw result.error;
      return target;
    },

    /** Finds the response in progress of a token. Throws `LINK_TOKEN_USED` if a finished response used the token. */
    async findInProgress(link: TokenLink, token: string): Promise<Response | undefined> {
      const { kind, ids } = await findAttempt(await sealer.forTenant(link.tenantId), link, token);
      if (kind === 'used') throw new AppError('LINK_TOKEN_USED');
      if (kind !== 'taken') return undefined;
      for (const id of ids) {
        const sealed = await store.find(link.tenantId, id);
        if (sealed?.requestHash === undefined || sealed.status === 'abandoned') continue;
        if (sealed.status !== 'in_progress') throw new AppError('LINK_TOKEN_USED');
        return sealer.open(sealed);
      }
      return undefined;
    },
  };
}

/** The error if a token became free during a request. The next request can use the token. */
function freedMeanwhile(): AppError {
  return new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
}

/** @param states the stored documents that have an id of the attempt */
function toAttemptState(
  states: readonly StoredState[],
  tenantId: TenantId,
  surveyId: string,
): Pick<Attempt, 'kind' | 'requestHash'> {
  for (const state of states) {
    // Earlier releases did not record from which survey a response was deleted.
    if (state.kind === 'purged') return { kind: 'used' };
    if (state.kind === 'deleted')
      return { kind: state.wasUnfinished ? 'freed' : 'used', requestHash: state.requestHash };
    if (state.kind === 'stored' && isOfKeyedRequest(state, tenantId))
      return { kind: state.status === 'abandoned' ? 'freed' : 'taken', requestHash: state.requestHash };
  }
  if (states.some((state) => isImportedAgain(state, tenantId, surveyId))) return { kind: 'used' };
  const isUseless = states.length === 2 && states.every((state) => isUnavailable(state, tenantId));
  return { kind: isUseless ? 'freed' : 'open' };
}

/**
 * Whether no keyed request can ever store a response under an id. A request may use its second id only if the first one
 * is unavailable. Otherwise, a concurrent repeat could store the same response under the first id.
 */
function isUnavailable(state: StoredState | undefined, tenantId: TenantId): boolean {
  if (state?.kind === 'stored') return !isOfKeyedRequest(state, tenantId);
  return state?.kind === 'purged';
}

/** Whether an import has stored the deleted response of a token again. Imported responses have no request hash. */
function isImportedAgain(state: StoredState | undefined, tenantId: TenantId, surveyId: string | undefined): boolean {
  if (state?.kind !== 'stored' || state.tenantId !== tenantId || state.surveyId !== surveyId) return false;
  return state.requestHash === undefined && state.status !== 'abandoned';
}

/** Whether a keyed request of the tenant has stored a response. */
function isOfKeyedRequest(state: StoredState, tenantId: TenantId): boolean {
  return state.kind === 'stored' && state.tenantId === tenantId && state.requestHash !== undefined;
}
