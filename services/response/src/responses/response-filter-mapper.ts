import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListAnswersRequest, ListResponsesRequest } from '@survey/proto/survey/responses/v1/response_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { type PageQuery, toPageQuery } from '@survey/runtime/mongo/page';
import type { ListOrder } from '@survey/runtime/mongo/walk';
import { responseStatuses } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';

/** The members that all requests for the responses of a survey share. */
interface FilterMessage {
  readonly surveyId: string;
  readonly version?: number | undefined;
  readonly status?: string | undefined;
  readonly linkId?: string | undefined;
  readonly language?: string | undefined;
  readonly since?: Timestamp | undefined;
  readonly until?: Timestamp | undefined;
  readonly updatedSince?: Timestamp | undefined;
  readonly completedSince?: Timestamp | undefined;
  readonly completedUntil?: Timestamp | undefined;
}

export function fromFilterMessage(message: FilterMessage): ResponseFilter {
  const { surveyId, version, status, linkId, language, since, until, updatedSince } = message;
  const { completedSince, completedUntil } = message;
  return {
    surveyId,
    surveyVersion: version,
    status: responseStatuses.find((known) => known === status),
    // Ids are stored in lower case.
    linkId: linkId?.toLowerCase(),
    languages: language === undefined ? undefined : [language],
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    updatedSince: updatedSince && timestampDate(updatedSince),
    completedSince: completedSince && timestampDate(completedSince),
    completedUntil: completedUntil && timestampDate(completedUntil),
  };
}

const orders: readonly ListOrder[] = ['asc', 'desc'];

export function toListQuery(request: ListResponsesRequest | ListAnswersRequest): PageQuery {
  return { ...toPageQuery(request), order: orders.find((known) => known === request.order) };
}

/** The page of a random sample. Throws `INVALID_REQUEST` if the request has an order. */
export function toSampleQuery(request: ListResponsesRequest): PageQuery {
  if (request.order === undefined) return toPageQuery(request);
  const detail = 'cannot be used with `random`: a random sample has no order';
  throw new AppError('INVALID_REQUEST', { errors: [{ path: '/order', code: 'NOT_WITH_RANDOM', detail }] });
}
