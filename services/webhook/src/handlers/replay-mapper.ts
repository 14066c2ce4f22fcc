import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ReplaySchema, ReplayWebhookRequest } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import { type Replay, replayableStatuses } from '../replays/replay.ts';
import type { RequestedReplay } from '../replays/replay-service.ts';

export function toRequestedReplay({ webhookId, since, until, ...request }: ReplayWebhookRequest): RequestedReplay {
  const statuses = replayableStatuses.filter((status) => request.statuses.includes(status));
  return {
    webhookId,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    statuses: statuses.length === 0 ? ['failed'] : statuses,
    eventTypes: request.eventTypes,
  };
}

export function toReplayMessage({ filter, ...replay }: Replay): CompleteFields<typeof ReplaySchema> {
  const { since, until, statuses, eventTypes, webhookId } = filter;
  return {
    id: replay.id,
    webhookId,
    status: replay.status,
    since: since && timestampFromDate(since),
    until: timestampFromDate(until),
    statuses: [...statuses],
    eventTypes: [...eventTypes],
    total: replay.total,
    replayed: replay.replayed,
    createdAt: timestampFromDate(replay.createdAt),
    finishedAt: replay.finishedAt && timestampFromDate(replay.finishedAt),
  };
}
