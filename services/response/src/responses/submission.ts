import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { Definition } from '../definitions/definition.ts';
import type { Response } from './response.ts';

/** What a respondent sends in. */
export interface Submission {
  readonly data: JsonObject;
  readonly startedAt: Date | undefined;
  readonly surveyVersion: number | undefined;
  readonly metadata: JsonObject | undefined;
  /** Whether answers to hidden questions are refused, or dropped. */
  readonly strict: boolean;
}

const MAX_METADATA_BYTES = 16 * 1024;
/** Normalised answers as JSON. A request body has the same limit, but answers come over gRPC too. */
const MAX_DATA_BYTES = 2 * 1024 * 1024;
/** How far a respondent's clock may be ahead of ours. Milliseconds. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * The response that a submission makes. Throws `VALIDATION_FAILED` or `INVALID_ANSWERS` with everything that is wrong.
 */
export function toResponse(definition: Definition, submission: Submission, id: string, time: Date): Response {
  checkFields(definition, submission, time);
  const { startedAt, metadata, strict } = submission;
  const { data, disqualified, errors } = validateAnswers(definition, submission.data, { strict });
  if (errors.length > 0) throw new AppError('INVALID_ANSWERS', { errors });
  return {
    id,
    tenantId: definition.tenantId,
    surveyId: definition.surveyId,
    surveyVersion: definition.version,
    status: disqualified ? 'disqualified' : 'completed',
    createdAt: time,
    updatedAt: time,
    // Nobody begins after the end: what is ahead of our clock is that much now.
    startedAt: startedAt === undefined || startedAt < time ? startedAt : time,
    completedAt: time,
    externalId: undefined,
    data,
    metadata,
  };
}

/** Answers as they are to be stored, with everything that is wrong with them. */
export function validateAnswers(
  definition: Definition,
  given: JsonObject,
  options: { readonly strict?: boolean; readonly lenient?: boolean },
): { readonly data: JsonObject; readonly disqualified: boolean; readonly errors: readonly FieldProblem[] } {
  const { data, disqualified, errors } = definition.compiled().validate(given, options);
  const problems: FieldProblem[] = errors.map(({ path, code, detail }) => ({ path, code, detail }));
  if (problems.length === 0 && bytesOf(data) > MAX_DATA_BYTES)
    problems.push({ path: '/data', code: 'TOO_LARGE', detail: `the answers take more than ${MAX_DATA_BYTES} bytes` });
  // Normalised answers are JSON; their type is only more precise, and read-only.
  return { data: data as JsonObject, disqualified, errors: problems };
}

/** What two requests with one idempotency key have to have in common, as text: the members in one order (RFC 8785). */
export function toComparable({ data, startedAt, surveyVersion, metadata, strict }: Submission): string {
  return toCanonicalJson({
    data,
    started_at: startedAt?.toISOString() ?? null,
    survey_version: surveyVersion ?? null,
    metadata: metadata ?? null,
    strict,
  });
}

function checkFields({ version }: Definition, { startedAt, surveyVersion, metadata }: Submission, time: Date): void {
  const errors: FieldProblem[] = [];
  if (surveyVersion !== undefined && surveyVersion !== version)
    errors.push({ path: '/survey_version', code: 'UNKNOWN_VERSION', detail: 'it is not live and never was' });
  if (startedAt !== undefined && startedAt.getTime() > time.getTime() + CLOCK_TOLERANCE_MS)
    errors.push({ path: '/started_at', code: 'IN_FUTURE', detail: 'it lies more than five minutes ahead' });
  if (metadata !== undefined && bytesOf(metadata) > MAX_METADATA_BYTES)
    errors.push({ path: '/metadata', code: 'TOO_LARGE', detail: `it takes more than ${MAX_METADATA_BYTES} bytes` });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
