import type { JsonObject } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';
import type { TenantCall } from '../rpc/call-context.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** A random UUID (RFC 9562, version 4 or 7). */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Reads the `Idempotency-Key` header; undefined if it is missing. Throws `INVALID_REQUEST` if it is malformed. */
export function readIdempotencyKey(context: Pick<HandlerContext, 'requestHeader'>): string | undefined {
  const header = context.requestHeader.get('idempotency-key');
  if (header === null) return undefined;
  if (!KEY.test(header))
    throw new AppError('INVALID_REQUEST', { detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters' });
  return header;
}

/**
 * Reads the `Idempotency-Key` of a call without a token. The key alone gives access to the first reply, which may
 * contain the resume token of a respondent. Throws `IDEMPOTENCY_KEY_WEAK` if the key is not a random UUID.
 */
export function readPublicIdempotencyKey(context: Pick<HandlerContext, 'requestHeader'>): string | undefined {
  const key = readIdempotencyKey(context);
  if (key !== undefined && !RANDOM_UUID.test(key)) throw new AppError('IDEMPOTENCY_KEY_WEAK');
  return key;
}

/**
 * Identifies the user of a request. A repeat must come from the same user with the same permissions: an API key may
 * have fewer permissions than its user.
 */
export function requesterOf({ actor, caller }: Pick<TenantCall, 'actor' | 'caller'>): JsonObject {
  return { actor, permissions: [...caller.permissions].sort() };
}

/** Marks the reply as one that was made for an earlier call with the same key. */
export function markReplayed(context: Pick<HandlerContext, 'responseHeader'>): void {
  context.responseHeader.set('idempotency-replayed', 'true');
}
