import { fromJson, type JsonObject } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate, ValueSchema } from '@bufbuild/protobuf/wkt';
import type {
  PublicResponseSchema,
  PublicSurveySchema,
  ResponseInProgressSchema,
  SubmittedResponseSchema,
  UpdatePublicResponseRequest,
} from '@survey/proto/survey/responses/v1/public_response_service_pb';
import type { ResponseSchema } from '@survey/proto/survey/responses/v1/response_pb';
import {
  type AnswerSchema,
  type ResponseChangeSchema,
  ResponseCorrectionSchema,
  ResponseFileSchema,
  type UpdateResponseRequest,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import { pickMasked } from '@survey/runtime/rpc/update-mask';
import type { Change } from '../changes/change.ts';
import type { Correction } from '../corrections/correction.ts';
import { type CompiledSurvey, languagesOf, publicDefinitionOf } from '../definitions/definition.ts';
import type { ListedFile } from '../files/file-list-service.ts';
import type { ProgressChange } from '../progress/progress.ts';
import type { CorrectionRecord } from '../responses/correction-record.ts';
import type { Response } from '../responses/response.ts';
import type { Answer } from '../responses/response-service.ts';
import type { Submission } from '../submissions/submission.ts';

export function toResponseMessage(response: Response): CompleteFields<typeof ResponseSchema> {
  const { startedAt, completedAt, externalId, metadata, language, linkId, invitationId } = response;
  return {
    id: response.id,
    tenantId: response.tenantId,
    surveyId: response.surveyId,
    status: response.status,
    data: response.data,
    createdAt: timestampFromDate(response.createdAt),
    startedAt: startedAt && timestampFromDate(startedAt),
    completedAt: completedAt && timestampFromDate(completedAt),
    surveyVersion: response.surveyVersion,
    updatedAt: timestampFromDate(response.updatedAt),
    externalId,
    metadata,
    language,
    linkId,
    invitationId,
  };
}

export function toChangeMessage(change: Change<Response>): CompleteFields<typeof ResponseChangeSchema> {
  const { id, revision, changedAt, response } = change;
  return {
    id,
    revision,
    changedAt: timestampFromDate(changedAt),
    deleted: response === undefined,
    response: response && toResponseMessage(response),
  };
}

export function toCorrectionMessage(correction: CorrectionRecord) {
  return toMessageFields(ResponseCorrectionSchema, correction);
}

export function toFileMessage({ id: fileId, ...file }: ListedFile) {
  return toMessageFields(ResponseFileSchema, { ...file, fileId });
}

export function toSubmittedMessage(
  response: Response,
): Omit<CompleteFields<typeof SubmittedResponseSchema>, 'resumeToken'> {
  const { completedAt } = response;
  return {
    id: response.id,
    status: response.status,
    surveyId: response.surveyId,
    surveyVersion: response.surveyVersion,
    createdAt: timestampFromDate(response.createdAt),
    completedAt: completedAt && timestampFromDate(completedAt),
  };
}

export function toAnswerMessage({ createdAt, answer, ...fields }: Answer): CompleteFields<typeof AnswerSchema> {
  return { ...fields, createdAt: timestampFromDate(createdAt), answer: fromJson(ValueSchema, answer) };
}

/**
 * Makes the message of a response for its respondent. Everyone who opened a single-use link has the resume token, so a
 * finished response through a link has no answers. Responses of earlier releases do not tell single-use links apart.
 */
export function toPublicResponseMessage(response: Response): CompleteFields<typeof PublicResponseSchema> {
  const { id, status, surveyId, surveyVersion, linkId, data, createdAt, updatedAt, completedAt } = response;
  return {
    id,
    status,
    surveyId,
    surveyVersion,
    data: status === 'in_progress' || linkId === undefined ? data : {},
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    completedAt: completedAt && timestampFromDate(completedAt),
  };
}

export function toResponseInProgressMessage(
  { id, revision, data, language, updatedAt }: Response,
  resumeToken: string,
): CompleteFields<typeof ResponseInProgressSchema> {
  return { resumable: true, id, resumeToken, revision, data, language, updatedAt: timestampFromDate(updatedAt) };
}

export function toPublicSurveyMessage(
  survey: CompiledSurvey,
): Omit<CompleteFields<typeof PublicSurveySchema>, 'slug' | 'responseInProgress'> {
  const { surveyId, version } = survey;
  const languages = [...languagesOf(survey)];
  return { id: surveyId, version, surveyVersion: version, definition: publicDefinitionOf(survey), languages };
}

/** The members that the requests of all submission channels share. */
interface SubmissionMessage {
  readonly status?: string | undefined;
  readonly data?: JsonObject | undefined;
  readonly startedAt?: Timestamp | undefined;
  readonly surveyVersion?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly language?: string | undefined;
  readonly strict: boolean;
}

export function fromSubmissionMessage(message: SubmissionMessage): Submission {
  const { data = {}, startedAt, surveyVersion, metadata, language, strict } = message;
  const status = message.status === 'in_progress' ? 'in_progress' : 'completed';
  return { status, data, startedAt: startedAt && timestampDate(startedAt), surveyVersion, metadata, language, strict };
}

/** Picks the fields in the update mask. A field without a value is removed from the response. */
export function toCorrection({ updateMask, data, metadata }: UpdateResponseRequest): Correction {
  const fields: Required<Correction> = { data, metadata };
  return pickMasked(fields, updateMask);
}

/** Picks the fields in the update mask. A field without a value is removed from the response. */
export function toProgressChange(request: UpdatePublicResponseRequest): ProgressChange {
  const { updateMask, status, data, metadata, language, strict } = request;
  const fields: Required<Omit<ProgressChange, 'isFinal' | 'strict'>> = { data, metadata, language };
  return { ...pickMasked(fields, updateMask), isFinal: status === 'completed', strict };
}
