import { createHmac } from 'node:crypto';
import { decodeKey } from '../webhooks/webhook-secret.ts';

export interface Signed {
  readonly deliveryId: string;
  /** When the attempt begins. */
  readonly time: Date;
  readonly body: Uint8Array;
  /** As it was shown. */
  readonly secret: string;
}

/** The headers that let a receiver tell that a message is ours: of our own, and of Standard Webhooks 1.0.0. */
export function signatureHeaders(prefix: string, { deliveryId, time, body, secret }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(time.getTime() / 1000));
  return {
    [`${prefix}-Signature`]: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    [`${prefix}-Delivery`]: deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signStandard(decodeKey(secret), deliveryId, timestamp, body)}`,
  };
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme". */
function signStandard(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}
