import { AppError } from '@survey/runtime/errors/app-error';
import { v5 as uuidv5 } from 'uuid';

/** Namespace of the ids of responses that came with an idempotency key (RFC 9562, version 5): ours, made once. */
const RESPONSE_IDS = 'b9b9a7f5-6d3d-4c0e-8a3e-6f6c1c3f0f57';

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

/** The id that a key stands for, so that a repeated request meets what the first one stored. */
export function idOfKey(scope: IdempotencyScope, tenantId: string, surveyId: string, key: string): string {
  return uuidv5(JSON.stringify([scope, tenantId, surveyId, key]), RESPONSE_IDS);
}
