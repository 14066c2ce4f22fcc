import type { JsonObject } from '@bufbuild/protobuf';
import { combineMetadata, type MetadataSource } from '@survey/questionnaire/metadata/metadata-fields';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import {
  checkNoProblems,
  fitMetadata,
  languageProblems,
  type Response,
  sizeProblems,
  validateAnswers,
} from '../responses/response.ts';
import { type CompiledSurvey, findLanguage } from '../surveys/definition.ts';
import type { GivenMetadata } from '../surveys/link-service.ts';

export interface Submission {
  /** A response in progress may lack required answers. */
  readonly status: 'completed' | 'in_progress';
  readonly data: JsonObject;
  readonly startedAt: Date | undefined;
  readonly surveyVersion: number | undefined;
  readonly metadata: JsonObject | undefined;
  readonly language: string | undefined;
  /** Only the tenant's users can give it. */
  readonly externalId: string | undefined;
  /** Whether answers to hidden questions are rejected instead of dropped. */
  readonly strict: boolean;
}

/** `started_at` may be this far in the future, because respondents' clocks can be ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

interface Arrival {
  readonly id: string;
  readonly linkId: string | undefined;
  readonly invitationId: string | undefined;
  /** Metadata of the link and the token. */
  readonly given?: GivenMetadata | undefined;
  readonly time: Date;
  /** The origin of the metadata in the request. */
  readonly source: Extract<MetadataSource, 'url' | 'api'>;
}

/** Throws `VALIDATION_FAILED`, `METADATA_NOT_ALLOWED` or `INVALID_ANSWERS` with all errors. */
export function toResponse(
  definition: CompiledSurvey,
  submission: Submission,
  { id, linkId, invitationId, given, time, source }: Arrival,
): Response {
  const sent = fitMetadata(definition.settings.metadataFields, submission.metadata, source);
  const metadata = combineMetadata({ ...given, url: sent.metadata });
  checkNoProblems([...fieldProblems(definition, submission, time), ...sent.problems, ...sizeProblems(metadata)]);
  const { startedAt, language, externalId, strict } = submission;
  const isComplete = submission.status === 'completed';
  const { data, disqualified, errors } = validateAnswers(definition, submission.data, {
    strict,
    partial: !isComplete,
    language,
  });
  if (errors.length > 0) throw new AppError('INVALID_ANSWERS', { errors });
  return {
    id,
    tenantId: definition.tenantId,
    surveyId: definition.surveyId,
    surveyVersion: definition.version,
    status: isComplete && disqualified ? 'disqualified' : submission.status,
    createdAt: time,
    updatedAt: time,
    // Replace a start in the future with the current time.
    startedAt: startedAt === undefined || startedAt < time ? startedAt : time,
    completedAt: isComplete ? time : undefined,
    language: language === undefined ? undefined : findLanguage(definition, language),
    linkId,
    invitationId,
    externalId,
    revision: 1,
    data,
    metadata,
  };
}

/** Returns canonical JSON (RFC 8785) to compare requests. Equal requests have equal texts. */
export function toComparable(submission: Submission, requester?: JsonObject): string {
  const { status, data, startedAt, surveyVersion, metadata, language, externalId, strict } = submission;
  return toCanonicalJson({
    status,
    data,
    started_at: startedAt?.toISOString() ?? null,
    survey_version: surveyVersion ?? null,
    metadata: metadata ?? null,
    language: language ?? null,
    strict,
    // Without it, the text is that of earlier releases, whose hashes are stored.
    ...(externalId !== undefined && { external_id: externalId }),
    ...(requester && { requester }),
  });
}

function fieldProblems(definition: CompiledSurvey, submission: Submission, time: Date): readonly FieldProblem[] {
  const { startedAt, surveyVersion, language } = submission;
  const errors: FieldProblem[] = [];
  // `definition` has another version only if `surveyVersion` was never published.
  if (surveyVersion !== undefined && surveyVersion !== definition.version)
    errors.push({
      path: '/survey_version',
      code: 'UNKNOWN_VERSION',
      detail: 'must be a version that is or was published',
    });
  if (startedAt !== undefined && startedAt.getTime() > time.getTime() + CLOCK_TOLERANCE_MS)
    errors.push({ path: '/started_at', code: 'IN_FUTURE', detail: 'must not be more than five minutes in the future' });
  return [...errors, ...languageProblems(definition, language)];
}
