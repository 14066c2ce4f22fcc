import { type DescField, type DescMessage, isMessage, type MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { type FieldMask, FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { toSnakeCase } from '../json/projection.ts';

/** The field of a request that names the fields to change. */
export function updateMaskOf(schema: DescMessage): DescField | undefined {
  return schema.fields.find(({ name }) => name === 'update_mask');
}

/**
 * Returns the fields that an update mask names. Undefined ones are included: they are to be cleared.
 *
 * @param fields all fields that the operation can change; the mask uses their names in snake case
 */
export function pickMasked<Fields extends object>(fields: Fields, mask: FieldMask | undefined): Partial<Fields> {
  const paths = new Set(mask?.paths);
  const picked = Object.entries(fields).filter(([name]) => paths.has(toSnakeCase(name)));
  return Object.fromEntries(picked) as Partial<Fields>;
}

/**
 * Whether a rule of a field applies to this request. In a request with an `update_mask`, rules apply only to fields
 * that are in the mask or set: other fields do not change.
 */
export function isRuleApplicable(
  schema: DescMessage,
  message: MessageShape<DescMessage>,
  fields: readonly DescField[],
): boolean {
  const mask = updateMaskOf(schema);
  if (mask === undefined || fields.length === 0) return true;
  const paths = pathsOf(message, mask);
  const path = fields.map(({ name }) => name).join('.');
  return paths.some((masked) => `${path}.`.startsWith(`${masked}.`)) || isSet(schema, message, fields);
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
