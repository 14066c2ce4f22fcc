import { WebhookService as WebhookServiceDesc } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { toDeliveryMessage } from '../deliveries/delivery-mapper.ts';
import type { DeliveryService } from '../deliveries/delivery-service.ts';
import { toWebhookMessage } from './webhook-mapper.ts';
import type { WebhookService } from './webhook-service.ts';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly deliveries: DeliveryService;
}

export function createWebhookHandler({ webhooks, deliveries }: Dependencies) {
  return implement(WebhookServiceDesc, {
    async createWebhook({ url, eventTypes, active = true, description, secret: own }, context) {
      const given = { url, eventTypes, active, description, secret: own };
      const { webhook, secret } = await webhooks.create(tenantCallOf(context).tenantId, given);
      context.responseHeader.set('location', `${API_PREFIX}/webhooks/${webhook.id}`);
      return { webhook: { ...toWebhookMessage(webhook), secret } };
    },

    async listWebhooks(page, context) {
      const { items, nextCursor } = await webhooks.list(tenantCallOf(context).tenantId, toPageQuery(page));
      return { webhooks: items.map(toWebhookMessage), nextCursor: nextCursor ?? '' };
    },

    async getWebhook({ webhookId }, context) {
      return { webhook: toWebhookMessage(await webhooks.get(tenantCallOf(context).tenantId, webhookId)) };
    },

    async deleteWebhook({ webhookId }, context) {
      await webhooks.remove(tenantCallOf(context).tenantId, webhookId);
      return {};
    },

    async listDeliveries({ webhookId, ...page }, context) {
      const { tenantId } = tenantCallOf(context);
      const { items, nextCursor } = await deliveries.list(tenantId, webhookId, toPageQuery(page));
      return { deliveries: items.map(toDeliveryMessage), nextCursor: nextCursor ?? '' };
    },

    async getDelivery({ deliveryId }, context) {
      return { delivery: toDeliveryMessage(await deliveries.get(tenantCallOf(context).tenantId, deliveryId)) };
    },
  });
}
