import type { ListResponseChangesRequest } from '@survey/proto/survey/responses/v1/response_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import type { FeedQuery } from './change-service.ts';

export function toFeedQuery(request: ListResponseChangesRequest, clientSignal: () => AbortSignal): FeedQuery {
  const { limit, cursor } = toPageQuery(request);
  return { limit, cursor, waitSeconds: request.wait ?? 0, clientSignal };
}
