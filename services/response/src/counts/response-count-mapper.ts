import {
  LinkResponseCountsSchema,
  SurveyResponseCountsSchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { SurveyResponseCounts } from './response-count-service.ts';
import type { LinkCounts } from './response-counts.ts';

export function toSurveyCountsMessage({ surveyId, counts }: SurveyResponseCounts) {
  const { all, countedAt } = counts ?? {};
  return toMessageFields(SurveyResponseCountsSchema, {
    surveyId,
    total: all?.total,
    inProgress: all?.in_progress,
    completed: all?.completed,
    disqualified: all?.disqualified,
    abandoned: all?.abandoned,
    lastResponseAt: all?.lastResponseAt,
    countedAt,
  });
}

export function toLinkCountsMessage({ in_progress: inProgress, ...counts }: LinkCounts & { countedAt: Date }) {
  return toMessageFields(LinkResponseCountsSchema, { ...counts, inProgress });
}
