import { AppError } from '@survey/runtime/errors/app-error';
import { stringify } from 'uuid';

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The route that a key was used on; the same key on another one is another key. */
export type IdempotencyScope = 'public' | 'tenant';

/** The header's value, undefined when there is none. Throws `INVALID_REQUEST` when it is no key. */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (!KEY.test(header))
    throw new AppError('INVALID_REQUEST', { detail: 'Idempotency-Key has to be 1 to 255 visible ASCII characters' });
  return header;
}

/** What a key is good for: the same key in another place is another key. */
export interface KeyPlace {
  readonly scope: IdempotencyScope;
  readonly surveyId: string;
}

/** The key with its place as bytes, one encoding for each. */
export function toKeyBytes({ scope, surveyId }: KeyPlace, key: string): Uint8Array {
  return Buffer.from(JSON.stringify([scope, surveyId, key]));
}

/** An id (RFC 9562, version 8) of 16 bytes of a hash. */
export function toId(hash: Uint8Array): string {
  const bytes = Uint8Array.from(hash);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}
