import { type DescField, type DescMessage, isMessage, type MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { type FieldMask, FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { toSnakeCase } from '../json/projection.ts';

/** The field of a request to change a record that says which of its fields are to change. */
export function updateMaskOf(schema: DescMessage): DescField | undefined {
  return schema.fields.find(({ name }) => name === 'update_mask');
}

/**
 * Returns the fields that an update mask names, undefined ones too: such a field is cleared.
 *
 * @param fields every field that the operation can change; the mask has their names in snake case
 */
export function pickMasked<Fields extends object>(fields: Fields, mask: FieldMask | undefined): Partial<Fields> {
  const paths = new Set(mask?.paths);
  const picked = Object.entries(fields).filter(([name]) => paths.has(toSnakeCase(name)));
  // Its members are some of the fields.
  return Object.fromEntries(picked) as Partial<Fields>;
}

/**
 * Whether a rule for a field is about this request: all are, but in a request with an `update_mask` rules of fields
 * that are neither in the mask nor set. They stay as they are, so they need not be there.
 */
export function isAsked(
  schema: DescMessage,
  message: MessageShape<DescMessage>,
  fields: readonly DescField[],
): boolean {
  const mask = updateMaskOf(schema);
  if (mask === undefined || fields.length === 0) return true;
  const paths = pathsOf(message, mask);
  const path = fields.map(({ name }) => name).join('.');
  return paths.some((asked) => `${path}.`.startsWith(`${asked}.`)) || isSet(schema, message, fields);
}

function pathsOf(message: MessageShape<DescMessage>, mask: DescField): readonly string[] {
  // A message has its fields as members.
  const value = (message as unknown as Record<string, unknown>)[mask.localName];
  return isMessage(value, FieldMaskSchema) ? value.paths : [];
}

function isSet(schema: DescMessage, message: MessageShape<DescMessage>, fields: readonly DescField[]): boolean {
  let holder = reflect(schema, message);
  for (const field of fields) {
    if (!holder.isSet(field)) return false;
    if (field.fieldKind === 'message') holder = holder.get(field);
  }
  return true;
}
