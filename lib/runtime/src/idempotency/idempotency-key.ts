import type { JsonObject } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';
import type { TenantCall } from '../rpc/call-context.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** A UUID whose bits are random (RFC 9562, versions 4 and 7). */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * The call's `Idempotency-Key`, 1 to 255 visible ASCII characters; undefined when it has none. Throws `INVALID_REQUEST`
 * when it is no key.
 */
export function readIdempotencyKey(context: Pick<HandlerContext, 'requestHeader'>): string | undefined {
  const header = context.requestHeader.get('idempotency-key');
  if (header === null) return undefined;
  if (!KEY.test(header))
    throw new AppError('INVALID_REQUEST', { detail: 'Idempotency-Key has to be 1 to 255 visible ASCII characters' });
  return header;
}

/**
 * The `Idempotency-Key` of a call without a token. Whoever knows it gets the first reply, with its resume token, so it
 * has to be a random UUID. Throws `IDEMPOTENCY_KEY_WEAK` when it is another text.
 */
export function readPublicIdempotencyKey(context: Pick<HandlerContext, 'requestHeader'>): string | undefined {
  const key = readIdempotencyKey(context);
  if (key !== undefined && !RANDOM_UUID.test(key)) throw new AppError('IDEMPOTENCY_KEY_WEAK');
  return key;
}

/**
 * Identifies the caller of a request with a token: a repeat must have the same. An API key acts as its user, but may
 * have fewer permissions: it must not get the reply of a stronger one.
 */
export function requesterOf({ actor, caller }: Pick<TenantCall, 'actor' | 'caller'>): JsonObject {
  return { actor, permissions: [...caller.permissions].sort() };
}

/** Tells the caller that an earlier call with the same key made what this one answers. */
export function markReplayed(context: Pick<HandlerContext, 'responseHeader'>): void {
  context.responseHeader.set('idempotency-replayed', 'true');
}
