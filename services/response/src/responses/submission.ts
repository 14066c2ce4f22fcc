import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import { type Definition, findLanguage } from '../definitions/definition.ts';
import type { Response } from './response.ts';

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

const MAX_METADATA_BYTES = 16 * 1024;
/** Normalised answers as JSON. A request body has the same limit, but answers come over gRPC too. */
const MAX_DATA_BYTES = 2 * 1024 * 1024;
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

/** Answers as they are to be stored, with everything that is wrong with them. */
export function validateAnswers(
  definition: Definition,
  given: JsonObject,
  options: { readonly strict?: boolean; readonly lenient?: boolean; readonly partial?: boolean },
): { readonly data: JsonObject; readonly disqualified: boolean; readonly errors: readonly FieldProblem[] } {
  const { data, disqualified, errors } = definition.compiled().validate(given, options);
  const problems: FieldProblem[] = errors.map(({ path, code, detail }) => ({ path, code, detail }));
  if (problems.length === 0 && bytesOf(data) > MAX_DATA_BYTES)
    problems.push({ path: '/data', code: 'TOO_LARGE', detail: `the answers take more than ${MAX_DATA_BYTES} bytes` });
  // Normalised answers are JSON; their type is only more precise, and read-only.
  return { data: data as JsonObject, disqualified, errors: problems };
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

/** What is wrong with the language of a response; it has to be one that the version declares. */
export function languageProblems(definition: Definition, language: string | undefined): readonly FieldProblem[] {
  if (language === undefined || findLanguage(definition, language) !== undefined) return [];
  return [{ path: '/language', code: 'UNDECLARED_LANGUAGE', detail: 'the survey does not declare it' }];
}

/** Throws `VALIDATION_FAILED` when it is larger than what is kept with a response. */
export function checkMetadata(metadata: JsonObject | undefined): void {
  const errors = metadataProblems(metadata);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** What is wrong with the metadata of a response: it has to be small. */
export function metadataProblems(metadata: JsonObject | undefined): readonly FieldProblem[] {
  if (metadata === undefined || bytesOf(metadata) <= MAX_METADATA_BYTES) return [];
  return [{ path: '/metadata', code: 'TOO_LARGE', detail: `it takes more than ${MAX_METADATA_BYTES} bytes` }];
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
