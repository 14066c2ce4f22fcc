import { timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { combineMetadata, type MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { TenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { toPointerToken } from '@survey/runtime/json/pointer';
import {
  type ContentChange,
  changeTime,
  checkMetadataSize,
  checkNoProblems,
  fitChange,
  languageProblems,
  mergeContent,
  type Response,
  type ResponseFields,
  validateAnswers,
} from '../responses/response.ts';
import { type CompiledSurvey, findLanguage } from '../surveys/definition.ts';
import type { GivenMetadata } from '../surveys/link-service.ts';

/** A respondent's change of a response in progress. */
export interface ProgressChange extends ContentChange {
  /** Whether this save completes the response. */
  readonly isFinal: boolean;
  /** If present, even as undefined, it replaces the stored language. */
  readonly language?: string | undefined;
  /** Whether answers to hidden questions are rejected instead of dropped. */
  readonly strict: boolean;
  /** Metadata that the link and the token give. The change cannot set it. */
  readonly given?: GivenMetadata;
}

/** The version that a response answers, and the current metadata fields of the survey. */
export interface SaveRules {
  readonly definition: CompiledSurvey;
  readonly metadataFields: readonly MetadataField[];
}

/** Returns undefined if nothing changes. Throws `VALIDATION_FAILED`, `METADATA_NOT_ALLOWED` or `INVALID_ANSWERS`. */
export function applySave(
  before: Response,
  change: ProgressChange,
  rules: SaveRules,
  time: Date,
): Response | undefined {
  const { content, disqualified } = changeContent(before, change, rules);
  const { data, metadata, language } = before;
  if (!change.isFinal && isDeepStrictEqual(content, { data, metadata, language })) return undefined;
  const next = { ...before, ...content, revision: before.revision + 1, updatedAt: changeTime(before, time) };
  if (!change.isFinal) return next;
  return { ...next, status: disqualified ? 'disqualified' : 'completed', completedAt: time };
}

/** Whether a save repeats the request that finished the response: the save is final, valid and changes nothing. */
export function isFinishedBy(response: Response, change: ProgressChange, rules: SaveRules): boolean {
  if (!change.isFinal) return false;
  try {
    // Earlier releases stored answers without normalising them, so compare both in normal form.
    const [changed, stored] = [change, { isFinal: true, strict: false }].map(
      (one) => changeContent(response, one, rules).content,
    );
    return isDeepStrictEqual(changed, stored);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Merges and normalises the content of a response. Throws like `applySave`. */
function changeContent(before: Response, save: ProgressChange, { definition, metadataFields }: SaveRules) {
  const change = fitChange(metadataFields, before, save, 'url');
  const { data, metadata: merged } = mergeContent(before, change);
  const metadata = keepGiven(before.metadata, merged, change.given);
  const given = Object.hasOwn(change, 'language') ? change.language : before.language;
  checkMetadataSize(metadata);
  checkNoProblems(languageProblems(definition, given));
  const { isFinal, strict, data: changed = {} } = change;
  const checked = validateAnswers(definition, data, { strict, partial: !isFinal, language: given });
  const errors = checked.errors.filter((problem) => isReported(problem, changed));
  if (errors.length > 0) throw new AppError('INVALID_ANSWERS', { errors });
  const language = given && findLanguage(definition, given);
  return { content: { data: checked.data, metadata, language }, disqualified: checked.disqualified };
}

/** Restores the values of fields that others than the respondent give. */
function keepGiven(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  given: GivenMetadata = {},
): JsonObject | undefined {
  const names = new Set(Object.keys(combineMetadata(given) ?? {}));
  const kept = Object.entries(before ?? {}).filter(([name]) => names.has(name));
  const others = Object.entries(after ?? {}).filter(([name]) => !names.has(name));
  return after === undefined && kept.length === 0 ? undefined : Object.fromEntries([...others, ...kept]);
}

/** Whether a problem rejects the save. Hidden answers of earlier saves are dropped without an error. */
function isReported({ code, path }: FieldProblem, data: JsonObject): boolean {
  return code !== 'HIDDEN_QUESTION' || Object.keys(data).some((id) => path === `/data${toPointerToken(id)}`);
}

type ResponseIdentity = Pick<ResponseFields, 'tenantId' | 'id'>;

interface Dependencies {
  readonly cipherOf: (tenantId: TenantId) => Promise<Pick<TenantCipher, 'stableHash'>>;
}

const PURPOSE = 'resume-token';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type ResumeTokens = ReturnType<typeof createResumeTokens>;

/** Makes the tokens with which respondents continue a response. Tokens are derived from ids and not stored. */
export function createResumeTokens({ cipherOf }: Dependencies) {
  async function issue({ tenantId, id }: ResponseIdentity): Promise<string> {
    const mac = (await cipherOf(tenantId)).stableHash(PURPOSE, Buffer.from(id));
    return Buffer.from(mac).toString('base64url');
  }

  return {
    /** 43 characters of base64url. */
    issue,
    /** Compares in constant time. Compares texts, because several base64url texts decode to the same bytes. */
    isToken: async (response: ResponseIdentity, text: string): Promise<boolean> =>
      TOKEN.test(text) && timingSafeEqual(Buffer.from(text), Buffer.from(await issue(response))),
  };
}
