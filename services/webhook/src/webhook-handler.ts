import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { WebhookService as WebhookServiceDesc } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { requirePermission, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { setEtag, toEditTarget } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { revisionOf } from './deliveries/delivery.ts';
import type { DeliveryService, Redelivery, ShownDelivery, TestCall, Viewer } from './deliveries/delivery-service.ts';
import { eventTypes } from './events/event-catalog.ts';
import type { WebhookHealthService } from './health/health-service.ts';
import type { Replay, ReplayService } from './replays/replay-service.ts';
import {
  toDeliveryFilter,
  toDeliveryMessage,
  toEventTypeMessage,
  toHealthMessage,
  toNewWebhook,
  toReplayMessage,
  toRequestedReplay,
  toRotationMessage,
  toWebhookChange,
  toWebhookMessage,
} from './webhook-mapper.ts';
import type { Webhook } from './webhooks/webhook.ts';
import type { SecretRotation } from './webhooks/webhook-secret.ts';
import type { WebhookService } from './webhooks/webhook-service.ts';

interface Dependencies {
  readonly webhooks: WebhookService;
  readonly rotation: SecretRotation;
  readonly deliveries: DeliveryService;
  readonly testCall: TestCall;
  readonly redelivery: Redelivery;
  readonly health: WebhookHealthService;
  readonly replayHandlers: ReplayHandlers;
  readonly idempotency: Idempotency;
  readonly clock: () => Date;
  /** Prefix of the platform's headers in requests to receivers. */
  readonly headerPrefix: string;
}

/** Permission to read answers, including those in deliveries. */
const ANSWERS_PERMISSION = 'responses:read';
const DEFAULT_OVERLAP_HOURS = 24;

export function createWebhookHandler(dependencies: Dependencies) {
  const {
    webhooks,
    rotation,
    deliveries,
    testCall,
    redelivery,
    health,
    replayHandlers,
    idempotency,
    clock,
    headerPrefix,
  } = dependencies;
  const toMessage = (shown: ShownDelivery) => toDeliveryMessage(shown, headerPrefix);
  const { createWebhook, rotateWebhookSecret } = WebhookServiceDesc.method;

  function toReply(webhook: Webhook, context: HandlerContext) {
    setEtag(context, webhook.revision);
    return { webhook: toWebhookMessage(webhook, clock()) };
  }

  return implement(WebhookServiceDesc, {
    async createWebhook(request, context) {
      const call = tenantCallOf(context);
      if (request.includeAnswers === true) requirePermission(call, ANSWERS_PERMISSION);
      const reply = await idempotency.run(createWebhook, request, context, async (id) => {
        const { webhook, secret } = await webhooks.create(call, id, toNewWebhook(request));
        return { webhook: { ...toReply(webhook, context).webhook, secret } };
      });
      context.responseHeader.set('location', `${API_PREFIX}/webhooks/${reply.webhook?.id}`);
      return reply;
    },

    async listWebhooks(page, context) {
      const { items, nextCursor } = await webhooks.list(tenantCallOf(context).tenantId, toPageQuery(page));
      const now = clock();
      return { webhooks: items.map((webhook) => toWebhookMessage(webhook, now)), nextCursor: nextCursor ?? '' };
    },

    async getWebhook({ webhookId }, context) {
      return toReply(await webhooks.get(tenantCallOf(context).tenantId, webhookId), context);
    },

    async getWebhookHealth({ webhookId }, context) {
      return toHealthMessage(await health.get(tenantCallOf(context).tenantId, webhookId));
    },

    async updateWebhook(request, context) {
      const requireAnswersPermission = () => requirePermission(tenantCallOf(context), ANSWERS_PERMISSION);
      // `change` requires the permission if it sends more answers, or sends answers to another receiver.
      const edit = toEditTarget(context, request.webhookId);
      return toReply(await webhooks.change(edit, toWebhookChange(request), requireAnswersPermission), context);
    },

    async deleteWebhook({ webhookId }, context) {
      await webhooks.remove(toEditTarget(context, webhookId));
      return {};
    },

    async rotateWebhookSecret(request, context) {
      const { webhookId, secret, overlapHours = DEFAULT_OVERLAP_HOURS } = request;
      return idempotency.run(rotateWebhookSecret, request, context, async (id) => {
        const rotated = await rotation.rotate(toEditTarget(context, webhookId), id, { secret, overlapHours });
        // A repeated request gets this ETag, too: it is stored with the reply.
        setEtag(context, rotated.webhook.revision);
        return { rotation: toRotationMessage(rotated) };
      });
    },

    async testWebhook({ webhookId }, context) {
      const delivery = await testCall.test(tenantCallOf(context), webhookId);
      setEtag(context, revisionOf(delivery));
      return { delivery: toMessage(await deliveries.show(delivery, toViewer(context))) };
    },

    async listDeliveries(request, context) {
      const filter = toDeliveryFilter(request);
      const { items, nextCursor } = await deliveries.list(toViewer(context), filter, toPageQuery(request));
      return { deliveries: items.map(toMessage), nextCursor: nextCursor ?? '' };
    },

    async getDelivery({ deliveryId }, context) {
      const shown = await deliveries.get(toViewer(context), deliveryId);
      setEtag(context, revisionOf(shown.delivery));
      return { delivery: toMessage(shown) };
    },

    async redeliverDelivery({ deliveryId }, context) {
      const delivery = await redelivery.redeliver(toEditTarget(context, deliveryId));
      setEtag(context, revisionOf(delivery));
      return { delivery: toMessage(await deliveries.show(delivery, toViewer(context))) };
    },

    ...replayHandlers,

    async listEventTypes() {
      return { eventTypes: eventTypes.map(toEventTypeMessage) };
    },
  });
}

function toViewer(context: HandlerContext): Viewer {
  const { tenantId, caller } = tenantCallOf(context);
  return { tenantId, mayReadAnswers: caller.permissions.has(ANSWERS_PERMISSION) };
}

interface ReplayHandlersDependencies {
  readonly replays: ReplayService;
  readonly idempotency: Idempotency;
}

type ReplayHandlers = Required<
  Pick<ServiceImpl<typeof WebhookServiceDesc>, 'replayWebhook' | 'listReplays' | 'getReplay' | 'cancelReplay'>
>;

export function createReplayHandlers({ replays, idempotency }: ReplayHandlersDependencies): ReplayHandlers {
  const { replayWebhook } = WebhookServiceDesc.method;

  function toReply(replay: Replay, context: HandlerContext) {
    setEtag(context, replay.revision);
    return { replay: toReplayMessage(replay) };
  }

  return {
    async replayWebhook(request, context) {
      const { tenantId } = tenantCallOf(context);
      const reply = await idempotency.run(replayWebhook, request, context, async (id) =>
        toReply(await replays.start(tenantId, id, toRequestedReplay(request)), context),
      );
      context.responseHeader.set('location', `${API_PREFIX}/webhook-replays/${reply.replay?.id}`);
      return reply;
    },

    async listReplays(request, context) {
      const { tenantId } = tenantCallOf(context);
      const { items, nextCursor } = await replays.list(tenantId, request.webhookId, toPageQuery(request));
      return { replays: items.map(toReplayMessage), nextCursor: nextCursor ?? '' };
    },

    async getReplay({ replayId }, context) {
      return toReply(await replays.get(tenantCallOf(context).tenantId, replayId), context);
    },

    async cancelReplay({ replayId }, context) {
      return toReply(await replays.cancel(toEditTarget(context, replayId)), context);
    },
  };
}
