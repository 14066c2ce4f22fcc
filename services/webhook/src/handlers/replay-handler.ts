import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { WebhookService as WebhookServiceDesc } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { toEdit } from '@survey/runtime/rpc/change-latest';
import { setEtag } from '@survey/runtime/rpc/if-match';
import type { Replay } from '../replays/replay.ts';
import type { ReplayService } from '../replays/replay-service.ts';
import { toReplayMessage, toRequestedReplay } from './replay-mapper.ts';

interface Dependencies {
  readonly replays: ReplayService;
  readonly idempotency: Idempotency;
}

export type ReplayHandlers = Required<
  Pick<ServiceImpl<typeof WebhookServiceDesc>, 'replayWebhook' | 'listReplays' | 'getReplay' | 'cancelReplay'>
>;

export function createReplayHandlers({ replays, idempotency }: Dependencies): ReplayHandlers {
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
      return toReply(await replays.cancel(toEdit(context, replayId)), context);
    },
  };
}
