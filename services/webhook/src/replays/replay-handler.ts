import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { WebhookService as WebhookServiceDesc } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { toEdit } from '@survey/runtime/rpc/change-latest';
import { setEtag } from '@survey/runtime/rpc/if-match';
import type { Replay } from './replay.ts';
import { toAskedReplay, toReplayMessage } from './replay-mapper.ts';
import type { ReplayService } from './replay-service.ts';

interface Dependencies {
  readonly replays: ReplayService;
  readonly idempotency: Idempotency;
}

export type ReplayHandlers = Required<
  Pick<ServiceImpl<typeof WebhookServiceDesc>, 'replayWebhook' | 'listReplays' | 'getReplay' | 'cancelReplay'>
>;

export function createReplayHandlers({ replays, idempotency }: Dependencies): ReplayHandlers {
  const { replayWebhook } = WebhookServiceDesc.method;

  function told(replay: Replay, context: HandlerContext) {
    setEtag(context, replay.revision);
    return { replay: toReplayMessage(replay) };
  }

  return {
    async replayWebhook(request, context) {
      const { tenantId } = tenantCallOf(context);
      const answer = await idempotency.answer(replayWebhook, request, context, async (id) =>
        told(await replays.start(tenantId, id, toAskedReplay(request)), context),
      );
      context.responseHeader.set('location', `${API_PREFIX}/webhook-replays/${answer.replay?.id}`);
      return answer;
    },

    async listReplays(request, context) {
      const { tenantId } = tenantCallOf(context);
      const { items, nextCursor } = await replays.list(tenantId, request.webhookId, toPageQuery(request));
      return { replays: items.map(toReplayMessage), nextCursor: nextCursor ?? '' };
    },

    async getReplay({ replayId }, context) {
      return told(await replays.get(tenantCallOf(context).tenantId, replayId), context);
    },

    async cancelReplay({ replayId }, context) {
      return told(await replays.cancel(toEdit(context, replayId)), context);
    },
  };
}
