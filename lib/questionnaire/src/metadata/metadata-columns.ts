import { isRejection } from '../answers/answer-type.ts';
import type { CellKind } from '../columns/cell-format.ts';
import { isAbsent, type JsonObject, ownMember, setMember } from '../json.ts';
import { type MetadataField, readMetadataValue } from './metadata-fields.ts';

/** The last column of an export, with the members that are no fields, as JSON. */
export const METADATA_COLUMN = 'metadata';
const FIELD_PREFIX = `${METADATA_COLUMN}.`;
/** As for other columns about the response itself: see `responseColumnNames`. */
const PREFIX = 'response:';

interface MetadataCell {
  readonly text: string;
  readonly kind?: CellKind;
  /** Whether the value does not fit its field, such as a value of an earlier type. */
  readonly isUnfit?: true;
}

/**
 * The names of the columns of metadata in an export: one for each field, then `metadata`.
 *
 * @param taken names of the columns of questions
 */
export function metadataColumnNames(
  fields: readonly Pick<MetadataField, 'name'>[],
  taken: ReadonlySet<string>,
): readonly string[] {
  const names = [...fields.map(({ name }) => FIELD_PREFIX + name), METADATA_COLUMN];
  return names.map((name) => (taken.has(name) ? PREFIX + name : name));
}

/** The name of a column of metadata as in the option `columns` of imports; undefined for other headings. */
export function toMetadataTarget(heading: string): string | undefined {
  const name = heading.startsWith(PREFIX) ? heading.slice(PREFIX.length) : heading;
  return name === METADATA_COLUMN || name.startsWith(FIELD_PREFIX) ? name : undefined;
}

/** The cells of the columns of metadata. A value that does not fit its field is a text. */
export function metadataCells(
  fields: readonly MetadataField[],
  metadata: JsonObject | undefined = {},
): readonly MetadataCell[] {
  const rest: Record<string, unknown> = {};
  const names = new Set(fields.map(({ name }) => name));
  for (const [name, value] of Object.entries(metadata)) if (!names.has(name)) setMember(rest, name, value);
  return [
    ...fields.map((field) => fieldCell(field, ownMember(metadata, field.name))),
    { text: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest) },
  ];
}

function fieldCell(field: MetadataField, value: unknown): MetadataCell {
  if (isAbsent(value)) return { text: '' };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const result = readMetadataValue(field, value);
  // A value with another JSON type was stored before the field had its type.
  if (isRejection(result) || typeof result.value !== typeof value) return { text, isUnfit: true };
  return field.type === 'number' || field.type === 'date' ? { text, kind: field.type } : { text };
}

/** The values of the declared fields, as in events. */
export function declaredMetadata<Value>(
  fields: readonly Pick<MetadataField, 'name'>[],
  metadata: { readonly [name: string]: Value } = {},
): { [name: string]: Value } {
  return Object.fromEntries(
    fields.flatMap(({ name }): [string, Value][] => {
      const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
      return isAbsent(value) ? [] : [[name, value as Value]];
    }),
  );
}
