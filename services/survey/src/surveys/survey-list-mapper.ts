import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListSurveysRequest } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { surveyStatuses } from './survey.ts';
import { type SurveyListQuery, type TimeRange, toTitleWords } from './survey-list.ts';

/** Throws `INVALID_REQUEST` if `q` has no words. */
export function toSurveyListQuery(request: ListSurveysRequest): SurveyListQuery {
  const { status, projectId, q, deleted } = request;
  return {
    ...toPageQuery(request),
    status: surveyStatuses.find((known) => known === status),
    projectId,
    titleWords: q === undefined ? [] : toTitleWords(q),
    createdAt: toRange(request.createdSince, request.createdUntil),
    updatedAt: toRange(request.updatedSince, request.updatedUntil),
    deleted,
  };
}

function toRange(since: Timestamp | undefined, until: Timestamp | undefined): TimeRange {
  return { since: since && timestampDate(since), until: until && timestampDate(until) };
}
