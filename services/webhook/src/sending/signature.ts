import { createHmac, createSecretKey } from 'node:crypto';
import { decodeKey } from '../webhooks/webhook-secret.ts';

export interface Signed {
  readonly deliveryId: string;
  /** The start of the attempt. */
  readonly time: Date;
  readonly body: Uint8Array;
  /** Secrets as shown to the tenant, newest first. */
  readonly secrets: readonly [string, ...string[]];
}

/**
 * Returns the signature headers. The headers with the configured prefix use the newest secret. Those of Standard
 * Webhooks 1.0.0 have one signature per secret.
 */
export function signatureHeaders(prefix: string, { deliveryId, time, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(time.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${signStandard(decodeKey(secret), deliveryId, timestamp, body)}`);
  return {
    [`${prefix}-Signature`]: `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    [`${prefix}-Delivery`]: deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme". */
function signStandard(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  // In Node 24, a key given as bytes is five times slower than a key object.
  return createHmac('sha256', createSecretKey(key)).update(`${id}.${timestamp}.`).update(body).digest('base64');
}
