import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { applySettlement, type Delivery, makeDelivery } from '../deliveries/delivery.ts';
import type { DeliveryEncryption } from '../deliveries/delivery-document.ts';

/** Failed deliveries of a disabled webhook, one for each time. */
export function missedDeliveries(
  tenantId: string,
  webhookId: string,
  times: readonly Date[],
  type = 'survey.created',
): readonly Delivery[] {
  return times.map((time) => {
    const event = { id: randomUUID(), type, tenantId: toTenantId(tenantId), time, data: {}, traceparent: '' };
    return applySettlement(makeDelivery(event, webhookId, time), {
      status: 'failed',
      failureReason: 'webhook_disabled',
    });
  });
}

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

export const NOTHING_RESERVED = { ids: new Set<string>(), lease: { claim: '', until: new Date(0) } };

/** Bodies that are not encrypted, and replies that are. */
export const testEncryption: Pick<DeliveryEncryption, 'open' | 'replySealer'> = {
  open: async ({ body }) => body,
  replySealer: async ({ tenantId }) => {
    const cipher = createTenantCipher(tenantId, new Map([[1, createSecretKey(randomBytes(32))]]));
    return (attempt, reply) => cipher.seal([String(attempt)], Buffer.from(JSON.stringify(reply)));
  },
};
