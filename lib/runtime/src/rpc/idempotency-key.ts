import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

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

/** Tells the caller that an earlier call with the same key made what this one answers. */
export function markReplayed(context: Pick<HandlerContext, 'responseHeader'>): void {
  context.responseHeader.set('idempotency-replayed', 'true');
}
