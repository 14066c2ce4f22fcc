import { createHmac, createSecretKey } from 'node:crypto';
import { HIDDEN_VALUE } from '../webhooks/webhook-headers.ts';
import { decodeKey } from '../webhooks/webhook-secret.ts';

export interface SignatureInput {
  readonly deliveryId: string;
  /** The start of the attempt. */
  readonly time: Date;
  readonly body: Uint8Array;
  /** Secrets as shown to the tenant, newest first. */
  readonly secrets: readonly [string, ...string[]];
}

/**
 * Returns the headers of two signature schemes. The headers with the prefix sign the body with the text of the newest
 * secret. Standard Webhooks 1.0.0 has one signature per secret, made with the decoded key.
 */
export function signatureHeaders(
  prefix: string,
  { deliveryId, time, body, secrets }: SignatureInput,
): Record<string, string> {
  const timestamp = toTimestamp(time);
  const signatures = secrets.map((secret) => `v1,${signStandard(decodeKey(secret), deliveryId, timestamp, body)}`);
  return {
    [`${prefix}-Signature`]: `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    [`${prefix}-Delivery`]: deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Returns the headers as the API shows them. Visible signatures would let a reader repeat the request. */
export function hiddenSignatureHeaders(
  prefix: string,
  { deliveryId, time }: Pick<SignatureInput, 'deliveryId' | 'time'>,
): Record<string, string> {
  return {
    [`${prefix}-Signature`]: HIDDEN_VALUE,
    [`${prefix}-Delivery`]: deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': toTimestamp(time),
    'webhook-signature': HIDDEN_VALUE,
  };
}

/** Seconds since 1970. */
function toTimestamp(time: Date): string {
  return String(Math.floor(time.getTime() / 1000));
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme". */
function signStandard(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  // In Node 24, a key given as bytes is five times slower than a key object.
  return createHmac('sha256', createSecretKey(key)).update(`${id}.${timestamp}.`).update(body).digest('base64');
}
