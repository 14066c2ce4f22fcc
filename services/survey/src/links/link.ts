import type { JsonObject } from '@bufbuild/protobuf';
import {
  checkMetadataFields,
  type MetadataField,
  type MetadataSource,
} from '@survey/questionnaire/metadata/metadata-fields';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { toPointerToken } from '@survey/runtime/json/pointer';

/** A way to a survey, with its own address. */
export interface Link {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  /** The last part of the address, unique on the platform. */
  readonly slug: string;
  /** Whether a person chose the slug. It then stays reserved for the tenant after the link is deleted. */
  readonly isSlugChosen: boolean;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly maxResponses: number | undefined;
  /** Encrypted key from which the tokens of a single-use link are derived. Tokens are not stored. */
  readonly sealedTokenKey: EncryptedRecord | undefined;
  /** Id of the last batch of tokens. Undefined until a second batch is made: the first has the id of the link. */
  readonly tokenBatch: string | undefined;
  readonly sealedPasswordHash: EncryptedRecord | undefined;
  /** Encrypted metadata of each new response through the link. */
  readonly sealedMetadata: EncryptedRecord | undefined;
  /** Incremented by each change; part of event ids. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
}

/** Characters of generated slugs, without similar-looking ones. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SLUG_LENGTH = 16;
/** Matches the slugs that `makeSlug` can make. */
export const GENERATED_SLUG = new RegExp(`^[${ALPHABET}]{${SLUG_LENGTH}}$`);

/** Generates an unguessable slug: 16 characters with 80 random bits. */
export function makeSlug(randomBytes: (size: number) => Uint8Array): string {
  return Array.from(randomBytes(SLUG_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Leaves most of the 16 KiB of a response's metadata to its respondent. */
const MAX_METADATA_BYTES = 4 * 1024;

/**
 * Checks the metadata of a link, or of a token, and converts the values to the types of their fields. Only declared
 * fields that the source can set are allowed. Members that are null are left out.
 *
 * @returns problems with pointers that begin with `/metadata`
 */
export function readMetadata(
  fields: readonly MetadataField[],
  given: JsonObject,
  source: Extract<MetadataSource, 'link' | 'token'>,
): { readonly metadata: JsonObject; readonly problems: readonly FieldProblem[] } {
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const unknown = Object.keys(values).filter((name) => !fields.some((field) => field.name === name));
  const checked = checkMetadataFields(fields, values, source);
  // Conversion makes JSON of JSON.
  const metadata = checked.metadata as JsonObject;
  const all: FieldProblem[] = [...unknown.map(undeclared), ...checked.problems];
  if (all.length === 0) all.push(...sizeProblems(metadata));
  return { metadata, problems: all };
}

function undeclared(name: string): FieldProblem {
  const detail = 'the survey has no field with this name in its metadata_fields';
  return { path: `/metadata${toPointerToken(name)}`, code: 'UNKNOWN_MEMBER', detail };
}

export function sizeProblems(metadata: JsonObject): readonly FieldProblem[] {
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES) return [];
  return [{ path: '/metadata', code: 'TOO_LARGE', detail: `must not exceed ${MAX_METADATA_BYTES} bytes of JSON` }];
}
