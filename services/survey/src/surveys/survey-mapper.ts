import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { DefinitionProblemSchema, SurveySchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import type { Problem } from '@survey/questionnaire/problem';
import type { Survey } from './survey.ts';

export function toSurveyMessage(survey: Survey): MessageInitShape<typeof SurveySchema> {
  const { createdAt, updatedAt, publishedAt } = survey;
  return {
    id: survey.id,
    tenantId: survey.tenantId,
    definition: survey.definition,
    schemaVersion: survey.schemaVersion,
    version: survey.version,
    status: survey.status,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    createdBy: survey.createdBy,
    updatedBy: survey.updatedBy,
    publishedAt: publishedAt && timestampFromDate(publishedAt),
  };
}

export function toProblemMessage({
  path,
  code,
  detail,
  question_id,
}: Problem): MessageInitShape<typeof DefinitionProblemSchema> {
  return { path, code, detail, ...(question_id === undefined ? {} : { questionId: question_id }) };
}
