import { fromJson } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate, ValueSchema } from '@bufbuild/protobuf/wkt';
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
  type CreateResponseRequest,
  LinkResponseCountsSchema,
  type ListAnswersRequest,
  type ListResponseChangesRequest,
  type ListResponsesRequest,
  type PlanResponseDeletionResponseSchema,
  type ResponseChangeSchema,
  ResponseCorrectionSchema,
  ResponseFileSchema,
  SurveyResponseCountsSchema,
  type UpdateResponseRequest,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { type PageQuery, toPageQuery } from '@survey/runtime/mongo/page';
import type { ListOrder } from '@survey/runtime/mongo/walk';
import { type CompleteFields, pickMasked, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Change, FeedQuery } from './changes/change-service.ts';
import type { DeletionPlan } from './deletions/deletion-plan-store.ts';
import type { ListedFile } from './files/file-reading.ts';
import type { ProgressChange } from './progress/progress.ts';
import { type ContentChange, type CorrectionRecord, type Response, responseStatuses } from './responses/response.ts';
import type { Selection } from './responses/response-filter.ts';
import type { Answer, ScannedPage } from './responses/response-service.ts';
import type { Submission } from './submissions/submission.ts';
import type { LinkCounts, SurveyResponseCounts } from './summaries/response-count-service.ts';
import { type CompiledSurvey, languagesOf, publicDefinitionOf, publicFieldsOf } from './surveys/definition.ts';

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

export function toDeletionPlanMessage(plan: DeletionPlan): CompleteFields<typeof PlanResponseDeletionResponseSchema> {
  const { id: planId, count, sampleIds, lackingQuestion, expiresAt } = plan;
  return { planId, count, sampleIds: [...sampleIds], lackingQuestion, expiresAt: timestampFromDate(expiresAt) };
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
 * Makes the message of a response for its respondent. Omits the answers if a finished response came through a link:
 * everybody who opens a single-use link gets the resume token, which gives access to this message.
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
  // `surveyVersion` repeats `version`, under the name that it has in responses.
  return {
    id: surveyId,
    version,
    surveyVersion: version,
    definition: publicDefinitionOf(survey),
    languages: [...languagesOf(survey)],
    metadataFields: [...publicFieldsOf(survey)],
  };
}

/** The fields that the requests of all submission channels share. */
type SubmissionMessage = Pick<
  CreateResponseRequest,
  'status' | 'data' | 'startedAt' | 'surveyVersion' | 'metadata' | 'language' | 'strict'
> &
  Partial<Pick<CreateResponseRequest, 'externalId'>>;

export function fromSubmissionMessage(message: SubmissionMessage): Submission {
  const { data = {}, surveyVersion, metadata, language, externalId, strict } = message;
  // The contract allows only these two values. The default is `completed`.
  const status = message.status === 'in_progress' ? 'in_progress' : 'completed';
  const startedAt = message.startedAt && timestampDate(message.startedAt);
  return { status, data, startedAt, surveyVersion, metadata, language, externalId, strict };
}

/** Picks the fields in the update mask. A field without a value is removed from the response. */
export function toCorrection({ updateMask, data, metadata }: UpdateResponseRequest): ContentChange {
  const fields: Required<ContentChange> = { data, metadata };
  return pickMasked(fields, updateMask);
}

/** Picks the fields in the update mask. A field without a value is removed from the response. */
export function toProgressChange(request: UpdatePublicResponseRequest): ProgressChange {
  const { updateMask, status, data, metadata, language, strict } = request;
  const fields: Required<Omit<ProgressChange, 'isFinal' | 'strict' | 'given'>> = { data, metadata, language };
  return { ...pickMasked(fields, updateMask), isFinal: status === 'completed', strict };
}

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

export function toFeedQuery(request: ListResponseChangesRequest, clientSignal: () => AbortSignal): FeedQuery {
  const { limit, cursor } = toPageQuery(request);
  return { limit, cursor, waitSeconds: request.wait ?? 0, clientSignal };
}

/** The fields of requests that select responses. Some requests have only some of them. */
type SelectionMessage = Pick<ListResponsesRequest, 'surveyId'> & Partial<Omit<ListResponsesRequest, '$typeName'>>;

export function fromSelectionMessage(message: SelectionMessage): Selection {
  const { surveyId, version, status, linkId, language, since, until, updatedSince } = message;
  const { completedSince, completedUntil, externalId, where } = message;
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
    externalId,
    where,
  };
}

/** The header with the number of responses whose version lacks a question of the conditions. */
export const LACKING_QUESTION = 'x-lacking-question';

/** The members of a page besides its items. */
export function toPageFields({ nextCursor = '', scanned, lackingQuestion, isComplete }: ScannedPage<unknown>) {
  return { nextCursor, scanned, lackingQuestion, complete: isComplete };
}

const orders: readonly ListOrder[] = ['asc', 'desc'];

export function toListQuery(request: ListResponsesRequest | ListAnswersRequest): PageQuery {
  return { ...toPageQuery(request), order: orders.find((known) => known === request.order) };
}

/** Throws `INVALID_REQUEST` if the request has an order. */
export function toSampleQuery(request: ListResponsesRequest): PageQuery {
  if (request.order === undefined) return toPageQuery(request);
  const detail = 'cannot be used with `random`: a random sample has no order';
  throw new AppError('INVALID_REQUEST', { errors: [{ path: '/order', code: 'NOT_WITH_RANDOM', detail }] });
}
