import type { DescField, DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { type FieldMask, type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { toSnakeCase } from '../json/projection.ts';

type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;

/**
 * All fields of a message, with undefined for unset ones. A mapper with this result type does not compile if it lacks a
 * field of the contract.
 */
export type CompleteFields<Desc extends DescMessage> = {
  [Field in keyof Init<Desc> as Exclude<Field, '$typeName' | '$unknown'>]-?: Init<Desc>[Field];
};

/** A value that can become a field: times are dates, and lists are readonly. */
type Source<Value> = Value extends Timestamp
  ? Value | Date
  : Value extends readonly (infer Item)[]
    ? readonly Item[]
    : Value;

type CompleteSource<Desc extends DescMessage> = {
  readonly [Field in keyof CompleteFields<Desc>]: Source<CompleteFields<Desc>[Field]>;
};

/**
 * Makes the fields of a message from a record, without members that the contract lacks. If the record lacks a field, or
 * has another type for it, TypeScript reports an error: add the field to a copy of the record.
 *
 * @example toMessageFields(ApiKeySchema, { ...key, secret: undefined });
 */
export function toMessageFields<Desc extends DescMessage>(
  schema: Desc,
  source: CompleteSource<Desc>,
): CompleteFields<Desc> {
  const values: Readonly<Record<string, unknown>> = source;
  const fields = schema.fields.map(({ localName }) => [localName, toField(values[localName])]);
  // `source` has every field.
  return Object.fromEntries(fields) as CompleteFields<Desc>;
}

function toField(value: unknown): unknown {
  if (value instanceof Date) return timestampFromDate(value);
  return Array.isArray(value) ? [...value] : value;
}

/** The field of a request that names the fields to change. */
export function updateMaskOf(schema: DescMessage): DescField | undefined {
  return schema.fields.find(({ name }) => name === 'update_mask');
}

/**
 * Returns the fields that an update mask names, including undefined ones, which the operation clears.
 *
 * @param fields all fields that the operation can change; the mask uses their names in snake case
 */
export function pickMasked<Fields extends object>(fields: Fields, mask: FieldMask | undefined): Partial<Fields> {
  const paths = new Set(mask?.paths);
  const picked = Object.entries(fields).filter(([name]) => paths.has(toSnakeCase(name)));
  return Object.fromEntries(picked) as Partial<Fields>;
}
