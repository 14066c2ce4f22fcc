import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  PublicSurveySchema,
  SubmittedResponseSchema,
} from '@survey/proto/survey/responses/v1/public_response_service_pb';
import type { ImportedResponse as ImportedMessage } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import type { ResponseSchema } from '@survey/proto/survey/responses/v1/response_pb';
import { type Definition, languagesOf, publicDefinitionOf } from '../definitions/definition.ts';
import type { Response } from './response.ts';
import type { ImportedResponse } from './response-import-service.ts';
import type { Submission } from './submission.ts';

export function toResponseMessage(response: Response): MessageInitShape<typeof ResponseSchema> {
  const { startedAt, externalId, metadata } = response;
  return {
    id: response.id,
    tenantId: response.tenantId,
    surveyId: response.surveyId,
    status: response.status,
    data: response.data,
    createdAt: timestampFromDate(response.createdAt),
    startedAt: startedAt && timestampFromDate(startedAt),
    completedAt: timestampFromDate(response.completedAt),
    surveyVersion: response.surveyVersion,
    updatedAt: timestampFromDate(response.updatedAt),
    ...(externalId === undefined ? {} : { externalId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function toSubmittedMessage(response: Response): MessageInitShape<typeof SubmittedResponseSchema> {
  return {
    id: response.id,
    status: response.status,
    surveyId: response.surveyId,
    surveyVersion: response.surveyVersion,
    createdAt: timestampFromDate(response.createdAt),
    completedAt: timestampFromDate(response.completedAt),
  };
}

export function toPublicSurveyMessage(survey: Definition): MessageInitShape<typeof PublicSurveySchema> {
  const { surveyId, version } = survey;
  return { id: surveyId, version, definition: publicDefinitionOf(survey), languages: [...languagesOf(survey)] };
}

/** The members that both ways of submitting have. */
interface SubmissionMessage {
  readonly data?: JsonObject | undefined;
  readonly startedAt?: Timestamp | undefined;
  readonly surveyVersion?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly strict: boolean;
}

export function fromSubmissionMessage(message: SubmissionMessage): Submission {
  const { data = {}, startedAt, surveyVersion, metadata, strict } = message;
  return { data, startedAt: startedAt && timestampDate(startedAt), surveyVersion, metadata, strict };
}

export function fromImportedMessage({
  id,
  externalId,
  data = {},
  startedAt,
  completedAt,
}: ImportedMessage): ImportedResponse {
  return {
    id,
    externalId,
    data,
    startedAt: startedAt && timestampDate(startedAt),
    completedAt: completedAt && timestampDate(completedAt),
  };
}
