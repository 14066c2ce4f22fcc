import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { testWebhook } from '../testing/test-webhook.ts';
import { type Delivery, makeDelivery, revisionOf } from './delivery.ts';
import { createRedelivery } from './delivery-service.ts';

const tenantId = toTenantId('a');
const time = new Date();
const event = { id: '1', type: 'survey.created', tenantId, time, data: {}, traceparent: '' };
const waiting = makeDelivery(event, 'w', time);
/** The delivery after another redelivery. */
const changed: Delivery = { ...waiting, redeliveries: 1 };
const context = { tenantId, actor: 'me', requestId: '', traceparent: '' };

/**
 * Redelivers a delivery.
 *
 * @param reads results of consecutive reads
 * @param sendable deliveries that the store accepts
 * @param seen revision in If-Match
 */
function redeliver(reads: readonly Delivery[], sendable: readonly Delivery[], seen?: Delivery) {
  const left = [...reads];
  const sent: Delivery[] = [];
  const redelivery = createRedelivery({
    store: {
      async sendAgain(delivery) {
        if (!sendable.includes(delivery)) return undefined;
        sent.push(delivery);
        return delivery;
      },
    },
    deliveries: { find: async () => (left.length > 1 ? left.shift() : left[0]) },
    webhooks: { get: async () => testWebhook({ tenantId }) },
    clock: () => time,
    onDue: () => undefined,
  });
  const ifMatch = seen && { includes: (revision: number) => revision === revisionOf(seen) };
  return { sent, done: redelivery.redeliver({ context, id: waiting.id, ifMatch }) };
}

describe('a delivery that changes during its redelivery', () => {
  it('is sent at its new revision', async () => {
    const { sent, done } = redeliver([waiting, changed], [changed]);
    await done;
    expect(sent).toEqual([changed]);
  });

  it('is not sent if If-Match has the old revision', async () => {
    const { sent, done } = redeliver([waiting, changed], [changed], waiting);
    await expect(done).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(sent).toEqual([]);
  });
});

describe('a delivery that is unchanged but claimed', () => {
  it('is being sent', async () => {
    await expect(redeliver([waiting], [], waiting).done).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });
});
