import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import { type Definition, findLanguage } from '../definitions/definition.ts';
import type { Response } from '../responses/response.ts';
import { languageProblems, metadataProblems, validateAnswers } from '../responses/response-rules.ts';

/** What a respondent sends in. */
export interface Submission {
  /** One in progress is checked as far as it goes. */
  readonly status: 'completed' | 'in_progress';
  readonly data: JsonObject;
  readonly startedAt: Date | undefined;
  readonly surveyVersion: number | undefined;
  readonly metadata: JsonObject | undefined;
  readonly language: string | undefined;
  /** Whether answers to hidden questions are refused, or dropped. */
  readonly strict: boolean;
}

/** How far a respondent's clock may be ahead of ours. Milliseconds. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** How a submission came to be here. */
interface Arrival {
  /** Id that its response is to have. */
  readonly id: string;
  readonly linkId: string | undefined;
  readonly time: Date;
}

/**
 * The response that a submission makes. Throws `VALIDATION_FAILED` or `INVALID_ANSWERS` with everything that is wrong.
 */
export function toResponse(definition: Definition, submission: Submission, { id, linkId, time }: Arrival): Response {
  checkFields(definition, submission, time);
  const { startedAt, metadata, language, strict } = submission;
  const isOver = submission.status === 'completed';
  const { data, disqualified, errors } = validateAnswers(definition, submission.data, { strict, partial: !isOver });
  if (errors.length > 0) throw new AppError('INVALID_ANSWERS', { errors });
  return {
    id,
    tenantId: definition.tenantId,
    surveyId: definition.surveyId,
    surveyVersion: definition.version,
    status: isOver && disqualified ? 'disqualified' : submission.status,
    createdAt: time,
    updatedAt: time,
    // Nobody begins after the end: what is ahead of our clock is that much now.
    startedAt: startedAt === undefined || startedAt < time ? startedAt : time,
    completedAt: isOver ? time : undefined,
    language: language === undefined ? undefined : findLanguage(definition, language),
    linkId,
    externalId: undefined,
    revision: 1,
    data,
    metadata,
  };
}

/** What two requests with one idempotency key have to have in common, as text: the members in one order (RFC 8785). */
export function toComparable(submission: Submission, requester?: JsonObject): string {
  const { status, data, startedAt, surveyVersion, metadata, language, strict } = submission;
  return toCanonicalJson({
    status,
    data,
    started_at: startedAt?.toISOString() ?? null,
    survey_version: surveyVersion ?? null,
    metadata: metadata ?? null,
    language: language ?? null,
    strict,
    ...(requester && { requester }),
  });
}

function checkFields(definition: Definition, submission: Submission, time: Date): void {
  const { startedAt, surveyVersion, metadata, language } = submission;
  const errors: FieldProblem[] = [];
  if (surveyVersion !== undefined && surveyVersion !== definition.version)
    errors.push({ path: '/survey_version', code: 'UNKNOWN_VERSION', detail: 'it is not live and never was' });
  if (startedAt !== undefined && startedAt.getTime() > time.getTime() + CLOCK_TOLERANCE_MS)
    errors.push({ path: '/started_at', code: 'IN_FUTURE', detail: 'it lies more than five minutes ahead' });
  errors.push(...metadataProblems(metadata), ...languageProblems(definition, language));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
