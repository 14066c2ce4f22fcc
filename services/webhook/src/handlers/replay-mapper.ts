import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ReplaySchema, type ReplayWebhookRequest } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
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

export function toReplayMessage({ filter, ...replay }: Replay) {
  return toMessageFields(ReplaySchema, { ...replay, ...filter });
}
