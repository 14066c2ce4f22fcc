import { isRejection, type Rejection, rejection } from '../answers/answer-type.ts';
import { toAscii } from '../answers/normal-form.ts';
import { codePointLength, toNfc } from '../answers/plain-text.ts';
import { readNumber } from '../answers/text-formats.ts';
import { readDay } from '../answers/types/date.ts';
import { isAbsent, isObject, itemsOf, type JsonObject, ownMember } from '../json.ts';
import { pointer } from '../pointer.ts';

export const METADATA_TYPES = ['string', 'number', 'boolean', 'date'] as const;
export type MetadataType = (typeof METADATA_TYPES)[number];

/**
 * Origins of metadata: a request without a token (`url`), the token of a single-use link (`token`), a link (`link`), or
 * a user of the tenant (`api`).
 */
export const METADATA_SOURCES = ['url', 'token', 'link', 'api'] as const;
export type MetadataSource = (typeof METADATA_SOURCES)[number];

export const METADATA_NAME = /^[a-z][a-z0-9_]{0,63}$/;

export const METADATA_LIMITS = {
  fields: 50,
  /** Largest `max_length`, which is also the default. In code points. */
  textLength: 4_096,
  /** All metadata of a response, as JSON in UTF-8. */
  bytes: 16 * 1024,
} as const;

/** A declared member of the metadata of responses, as in the settings of a survey. */
export interface MetadataField {
  readonly name: string;
  readonly type: MetadataType;
  /** Of texts, in code points. */
  readonly max_length?: number;
  /** The sources that can set the field of a new response. */
  readonly from: readonly MetadataSource[];
}

type MetadataValue = string | number | boolean;

export interface MetadataProblem {
  /** The field. */
  readonly name: string;
  /** JSON pointer that begins with `/metadata`. */
  readonly path: string;
  readonly code: Rejection['code'] | 'METADATA_NOT_ALLOWED';
  readonly detail: string;
}

/** Reads the fields of a message. Ignores types and sources that only newer releases know. */
export function toMetadataFields(
  given: readonly {
    readonly name: string;
    readonly type: string;
    readonly maxLength?: number | undefined;
    readonly from: readonly string[];
  }[],
): readonly MetadataField[] {
  return given.flatMap(({ name, type: typeName, maxLength, from }) => {
    const type = METADATA_TYPES.find((known) => known === typeName);
    const sources = METADATA_SOURCES.filter((source) => from.includes(source));
    if (type === undefined) return [];
    return [{ name, type, ...(maxLength === undefined ? {} : { max_length: maxLength }), from: sources }];
  });
}

/** Reads the fields of settings in JSON. Ignores what is no field. */
export function readMetadataFields(settings: unknown): readonly MetadataField[] {
  const given = itemsOf(isObject(settings) ? settings['metadata_fields'] : undefined).filter(isObject);
  return toMetadataFields(
    given.map(({ name, type, max_length: maxLength, from }) => ({
      name: String(name),
      type: String(type),
      maxLength: typeof maxLength === 'number' ? maxLength : undefined,
      from: itemsOf(from).map(String),
    })),
  );
}

/**
 * Checks the values of declared fields in new metadata or in a merge patch, and converts them to their types. Other
 * members and null stay as they are.
 *
 * @param source without it, all fields can be set
 */
export function checkMetadataFields<Metadata extends JsonObject>(
  fields: readonly MetadataField[],
  metadata: Metadata,
  source?: MetadataSource,
): { readonly metadata: Metadata; readonly problems: readonly MetadataProblem[] } {
  const problems: MetadataProblem[] = [];
  const values: Record<string, MetadataValue> = {};
  for (const field of fields) {
    if (!Object.hasOwn(metadata, field.name)) continue;
    const path = pointer('/metadata', field.name);
    const value = metadata[field.name];
    if (source !== undefined && !field.from.includes(source)) problems.push(notAllowed(path, field));
    else if (value !== null) {
      const result = readMetadataValue(field, value);
      if (isRejection(result)) problems.push({ name: field.name, path, ...result });
      else values[field.name] = result.value;
    }
  }
  return { metadata: { ...metadata, ...values }, problems };
}

/** Finds a value that a source cannot remove together with all other metadata. */
export function findProtected(
  fields: readonly MetadataField[],
  metadata: JsonObject,
  source: MetadataSource,
): MetadataProblem | undefined {
  const found = fields.find(({ name, from }) => !from.includes(source) && !isAbsent(ownMember(metadata, name)));
  return found && notAllowed('/metadata', found);
}

function notAllowed(path: string, { name, from }: MetadataField): MetadataProblem {
  const detail = `the field ${name} can be set only from ${from.join(', ')}`;
  return { name, path, code: 'METADATA_NOT_ALLOWED', detail };
}

/**
 * Reads a value of a field. Texts, such as parameters of an address and cells of a table, are read as numbers, booleans
 * and dates.
 */
export function readMetadataValue(
  { type, max_length: maxLength = METADATA_LIMITS.textLength }: Pick<MetadataField, 'type' | 'max_length'>,
  value: unknown,
): { readonly value: MetadataValue } | Rejection {
  switch (type) {
    case 'string':
      return readText(value, maxLength);
    case 'number':
      return readFiniteNumber(value);
    case 'boolean': {
      const text = String(value).trim().toLowerCase();
      return (typeof value === 'boolean' || typeof value === 'string') && (text === 'true' || text === 'false')
        ? { value: text === 'true' }
        : rejection('WRONG_TYPE', 'the value must be true or false');
    }
    default: {
      if (typeof value !== 'string') return rejection('WRONG_TYPE', 'the value must be a date as YYYY-MM-DD');
      const day = readDay(toAscii(value));
      return day === undefined
        ? rejection('BAD_FORMAT', 'the value must be an existing date as YYYY-MM-DD')
        : { value: day };
    }
  }
}

function readText(value: unknown, maxLength: number): { readonly value: string } | Rejection {
  if (typeof value !== 'string') return rejection('WRONG_TYPE', 'the value must be a string');
  if (!value.isWellFormed()) return rejection('BAD_FORMAT', 'the value must be valid Unicode');
  const text = toNfc(value);
  return codePointLength(text) > maxLength
    ? rejection('TOO_LONG', `the value must have at most ${maxLength} characters`)
    : { value: text };
}

function readFiniteNumber(value: unknown): { readonly value: number } | Rejection {
  const number = typeof value === 'string' ? Number(readNumber(value) ?? Number.NaN) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return rejection('WRONG_TYPE', 'the value must be a number');
  return Math.abs(number) > Number.MAX_SAFE_INTEGER
    ? rejection('OUT_OF_RANGE', 'the value must be within ±(2^53 - 1)')
    : { value: number };
}

/**
 * Combines the metadata of a new response. A value of the token goes before one of the link, and that before one of the
 * request.
 */
export function combineMetadata<Value>({
  token,
  link,
  url,
}: {
  readonly [Source in 'token' | 'link' | 'url']?: { readonly [name: string]: Value } | undefined;
}): { readonly [name: string]: Value } | undefined {
  return token === undefined && link === undefined ? url : { ...url, ...link, ...token };
}
