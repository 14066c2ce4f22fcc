import { createHmac, createSecretKey } from 'node:crypto';
import { decodeKey } from '../webhooks/webhook-secret.ts';

export interface Signed {
  readonly deliveryId: string;
  /** When the attempt begins. */
  readonly time: Date;
  readonly body: Uint8Array;
  /** As they were shown, the newest first. */
  readonly secrets: readonly [string, ...string[]];
}

/**
 * The headers that let a receiver tell that a message is ours: of our own, with the newest secret, and of Standard
 * Webhooks 1.0.0, with each.
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
  // Bytes by themselves take Node 24 five times as long as a key or a text.
  return createHmac('sha256', createSecretKey(key)).update(`${id}.${timestamp}.`).update(body).digest('base64');
}
