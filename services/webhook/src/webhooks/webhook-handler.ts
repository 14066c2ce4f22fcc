import { WebhookService as WebhookServiceDesc } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { toEdit } from '@survey/runtime/rpc/change-latest';
import type { Idempotency } from '@survey/runtime/rpc/idempotency';
import { setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { revisionOf } from '../deliveries/delivery.ts';
import { toDeliveryMessage } from '../deliveries/delivery-mapper.ts';
import type { DeliveryService } from '../deliveries/delivery-service.ts';
import { toWebhookMessage } from './webhook-mapper.ts';
import type { WebhookService } from './webhook-service.ts';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly deliveries: DeliveryService;
  readonly idempotency: Idempotency;
}

export function createWebhookHandler({ webhooks, deliveries, idempotency }: Dependencies) {
  return implement(WebhookServiceDesc, {
    async createWebhook(request, context) {
      const { url, eventTypes, active = true, description, secret: own } = request;
      const given = { url, eventTypes, active, description, secret: own };
      const { createWebhook } = WebhookServiceDesc.method;
      const answer = await idempotency.answer(createWebhook, request, context, async (id) => {
        const { webhook, secret } = await webhooks.create(tenantCallOf(context), id, given);
        setEtag(context, webhook.revision);
        return { webhook: { ...toWebhookMessage(webhook), secret } };
      });
      context.responseHeader.set('location', `${API_PREFIX}/webhooks/${answer.webhook?.id}`);
      return answer;
    },

    async listWebhooks(page, context) {
      const { items, nextCursor } = await webhooks.list(tenantCallOf(context).tenantId, toPageQuery(page));
      return { webhooks: items.map(toWebhookMessage), nextCursor: nextCursor ?? '' };
    },

    async getWebhook({ webhookId }, context) {
      const webhook = await webhooks.get(tenantCallOf(context).tenantId, webhookId);
      setEtag(context, webhook.revision);
      return { webhook: toWebhookMessage(webhook) };
    },

    async deleteWebhook({ webhookId }, context) {
      await webhooks.remove(toEdit(context, webhookId));
      return {};
    },

    async listDeliveries({ webhookId, ...page }, context) {
      const { tenantId } = tenantCallOf(context);
      const { items, nextCursor } = await deliveries.list(tenantId, webhookId, toPageQuery(page));
      return { deliveries: items.map(toDeliveryMessage), nextCursor: nextCursor ?? '' };
    },

    async getDelivery({ deliveryId }, context) {
      const delivery = await deliveries.get(tenantCallOf(context).tenantId, deliveryId);
      setEtag(context, revisionOf(delivery));
      return { delivery: toDeliveryMessage(delivery) };
    },
  });
}
