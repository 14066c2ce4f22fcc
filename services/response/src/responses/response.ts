import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { nameLanguages } from '@survey/questionnaire/definition/language-tag';
import { declaredLanguages } from '@survey/questionnaire/labels';
import {
  checkMetadataFields,
  findProtected,
  METADATA_LIMITS,
  type MetadataField,
  type MetadataProblem,
  type MetadataSource,
} from '@survey/questionnaire/metadata/metadata-fields';
import type { ValidateOptions } from '@survey/questionnaire/validate';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { mergePatch } from '@survey/runtime/json/merge-patch';
import { type CompiledSurvey, findLanguage } from '../surveys/definition.ts';

/** `abandoned`: the response was in progress without a save for too long. */
export const responseStatuses = ['in_progress', 'completed', 'disqualified', 'abandoned'] as const;
export type ResponseStatus = (typeof responseStatuses)[number];

/** The fields of a response that are stored in plain text. */
export interface ResponseFields {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly surveyVersion: number;
  readonly status: ResponseStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | undefined;
  /** Time of completion or disqualification. */
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly linkId: string | undefined;
  /** The invitation whose token the respondent used, for a single-use link. */
  readonly invitationId: string | undefined;
  /** Starts at 1. Each change raises it. */
  readonly revision: number;
}

/** One respondent's answers to a survey. */
export interface Response extends ResponseFields {
  /** Normalised answers by question id. */
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
  /** The tenant's own id for the response, or its id in the file that it was imported from. */
  readonly externalId: string | undefined;
}

export type StoredResponseFields = Omit<SealedResponse, 'data' | 'metadata'>;

export interface ResponseText extends ResponseFields {
  readonly data: string;
  readonly metadata: string | undefined;
  readonly externalId: string | undefined;
}

/** The fields of a response that summaries need. */
export type ResponseAnswers = Pick<
  Response,
  'surveyVersion' | 'status' | 'createdAt' | 'updatedAt' | 'startedAt' | 'completedAt' | 'data'
>;

export interface SealedResponse extends ResponseFields {
  readonly data: EncryptedRecord;
  readonly metadata: EncryptedRecord | undefined;
  /** A string: stored by an earlier release, in plain text. */
  readonly externalId: SealedExternalId | string | undefined;
  /** Hash of the request that created the response, if it had an idempotency key. */
  readonly requestHash: KeyedHash | undefined;
}

export interface SealedExternalId {
  readonly record: EncryptedRecord;
  /** Keyed hash of the external id, to find it. It is bound to the survey, and stays the same after key rotations. */
  readonly tag: string;
}

export type SealedAnswers = Pick<SealedResponse, 'id' | 'tenantId' | 'surveyId' | keyof ResponseAnswers>;

/**
 * Returns the time of a change, which is always later than the last change of the response. Summaries detect changes by
 * the sum of these times.
 */
export function changeTime({ updatedAt }: Pick<ResponseFields, 'updatedAt'>, time: Date): Date {
  return new Date(Math.max(time.getTime(), updatedAt.getTime() + 1));
}

/** Limit for normalised answers as JSON. */
const MAX_DATA_BYTES = 2 * 1024 * 1024;

export function validateAnswers(
  definition: CompiledSurvey,
  answers: JsonObject,
  options: Pick<ValidateOptions, 'strict' | 'lenient' | 'partial' | 'inactive' | 'language'>,
): { readonly data: JsonObject; readonly disqualified: boolean; readonly errors: readonly FieldProblem[] } {
  const { data, disqualified, errors } = definition.compiled().validate(answers, options);
  const problems: FieldProblem[] = errors.map(({ path, code, detail }) => ({ path, code, detail }));
  if (bytesOf(data) > MAX_DATA_BYTES)
    problems.push({
      path: '/data',
      code: 'TOO_LARGE',
      detail: `the answers must not exceed ${MAX_DATA_BYTES} bytes of JSON`,
    });
  return { data: data as JsonObject, disqualified, errors: problems };
}

export function languageProblems(survey: CompiledSurvey, language: string | undefined): readonly FieldProblem[] {
  if (language === undefined || findLanguage(survey, language) !== undefined) return [];
  const detail = `must be one of the languages of the survey: ${nameLanguages(declaredLanguages(survey.definition))}`;
  return [{ path: '/language', code: 'UNDECLARED_LANGUAGE', detail }];
}

/** Throws `VALIDATION_FAILED` if the metadata is too large. */
export function checkMetadataSize(metadata: JsonObject | undefined): void {
  checkNoProblems(sizeProblems(metadata));
}

export function sizeProblems(metadata: JsonObject | undefined): readonly FieldProblem[] {
  const { bytes } = METADATA_LIMITS;
  if (metadata === undefined || bytesOf(metadata) <= bytes) return [];
  return [{ path: '/metadata', code: 'TOO_LARGE', detail: `must not exceed ${bytes} bytes of JSON` }];
}

/**
 * Converts declared fields of new metadata to their types.
 *
 * @param source without it, all fields can be set
 */
export function fitMetadata(
  fields: readonly MetadataField[],
  given: JsonObject | undefined,
  source?: MetadataSource,
): { readonly metadata: JsonObject | undefined; readonly problems: readonly FieldProblem[] } {
  if (given === undefined) return { metadata: undefined, problems: [] };
  const { metadata, problems } = checkMetadataFields(fields, given, source);
  return { metadata, problems: problems.map(toFieldProblem) };
}

/**
 * Converts declared fields of a changed metadata to their types. Throws `METADATA_NOT_ALLOWED` if the change touches a
 * field that its source cannot set, and `VALIDATION_FAILED` for wrong values.
 *
 * @param source without it, all fields can be set
 */
export function fitChange<Change extends ContentChange>(
  fields: readonly MetadataField[],
  before: Pick<Response, 'metadata'>,
  change: Change,
  source?: MetadataSource,
): Change {
  if (!Object.hasOwn(change, 'metadata')) return change;
  if (change.metadata === undefined) {
    const found = source && findProtected(fields, before.metadata ?? {}, source);
    checkNoProblems(found === undefined ? [] : [toFieldProblem(found)]);
    return change;
  }
  const { metadata, problems } = checkMetadataFields(fields, change.metadata, source);
  checkNoProblems(problems.map(toFieldProblem));
  return { ...change, metadata };
}

function toFieldProblem({ path, code, detail }: MetadataProblem): FieldProblem {
  return { path, code, detail };
}

/** Throws `METADATA_NOT_ALLOWED` or `VALIDATION_FAILED` if there are problems. */
export function checkNoProblems(errors: readonly FieldProblem[]): void {
  const isNotAllowed = errors.some(({ code }) => code === 'METADATA_NOT_ALLOWED');
  if (errors.length > 0) throw new AppError(isNotAllowed ? 'METADATA_NOT_ALLOWED' : 'VALIDATION_FAILED', { errors });
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** A correction of a response by a user, without answers. */
export interface CorrectionRecord {
  /** Revision of the response after the correction. */
  readonly revision: number;
  readonly correctedAt: Date;
  readonly correctedBy: string;
  /** Questions with changed answers, at most `MAX_CORRECTED_QUESTIONS`. */
  readonly questionIds: readonly string[];
  readonly metadataChanged: boolean;
  readonly statusBefore: ResponseStatus;
  readonly statusAfter: ResponseStatus;
}

/** Limits the size of the document of a response, together with `MAX_CORRECTIONS`. */
const MAX_CORRECTED_QUESTIONS = 100;

/** @param by id of the user */
export function toCorrectionRecord(by: string, before: Response, after: Response): CorrectionRecord {
  return {
    revision: after.revision,
    correctedAt: after.updatedAt,
    correctedBy: by,
    questionIds: changedQuestionIds(before, after).slice(0, MAX_CORRECTED_QUESTIONS),
    metadataChanged: !isDeepStrictEqual(before.metadata, after.metadata),
    statusBefore: before.status,
    statusAfter: after.status,
  };
}

export function changedQuestionIds(before: Response, after: Response): readonly string[] {
  const ids = Object.keys({ ...before.data, ...after.data });
  return ids.filter((id) => !isDeepStrictEqual(before.data[id], after.data[id]));
}

/** A change of answers and metadata. A property that is present but undefined removes the stored value. */
export interface ContentChange {
  /** Changed answers by question id. Each replaces the whole stored answer. Null removes the stored answer. */
  readonly data?: JsonObject | undefined;
  /** A merge patch. */
  readonly metadata?: JsonObject | undefined;
}

/** Applies a change without validating the result. */
export function mergeContent(
  { data, metadata }: Pick<Response, 'data' | 'metadata'>,
  change: ContentChange,
): Pick<Response, 'data' | 'metadata'> {
  const merged = change.data === undefined ? [] : Object.entries({ ...data, ...change.data });
  return {
    data: Object.hasOwn(change, 'data') ? Object.fromEntries(merged.filter(([, answer]) => answer !== null)) : data,
    metadata: Object.hasOwn(change, 'metadata')
      ? change.metadata && (mergePatch(metadata, change.metadata) as JsonObject)
      : metadata,
  };
}
