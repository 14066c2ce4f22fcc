import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

const SCALARS = [ScalarType.STRING, ScalarType.BOOL, ScalarType.DOUBLE, ScalarType.INT32, ScalarType.UINT32];

/** Tells whether fields of the message hold any JSON: an object, or any value. */
export function isFreeForm(message: DescMessage | undefined): boolean {
  return message?.typeName === 'google.protobuf.Struct' || message?.typeName === 'google.protobuf.Value';
}

export function isTimestamp(message: DescMessage | undefined): boolean {
  return message?.typeName === 'google.protobuf.Timestamp';
}

/** Tells whether the message is an object of ours: its members are its fields. */
export function isOwnMessage(message: DescMessage | undefined): message is DescMessage {
  return message !== undefined && !isFreeForm(message) && !isTimestamp(message);
}

/**
 * Looks for a field that JSON of this API has no form for, in messages of any depth: 64-bit numbers (JSON has none),
 * enums (closed sets are strings with an `in` rule), bytes, floats (a double is as short), members of a oneof, keys of
 * maps that are no strings, Google's other well-known types. Gives what is wrong with the first, or undefined.
 */
export function findFormless(fields: readonly DescField[], known: Set<DescMessage> = new Set()): string | undefined {
  for (const field of fields) {
    const problem = problemOf(field);
    if (problem !== undefined) return `${field.parent.typeName}.${field.name} ${problem}`;
    const { message } = field;
    if (!isOwnMessage(message) || known.has(message)) continue;
    known.add(message);
    const inside = findFormless(message.fields, known);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function problemOf(field: DescField): string | undefined {
  if (field.oneof !== undefined) return 'is in a oneof; use optional fields';
  if (field.enum !== undefined) return 'is an enum; use a string with an in rule';
  if (field.scalar !== undefined && !SCALARS.includes(field.scalar))
    return `is of the type ${ScalarType[field.scalar].toLowerCase()}, which is not supported`;
  if (field.fieldKind === 'map' && field.mapKey !== ScalarType.STRING) return 'is a map whose keys are no strings';
  if (isOwnMessage(field.message) && field.message.typeName.startsWith('google.'))
    return `is a ${field.message.typeName}, which is not supported`;
  return undefined;
}
