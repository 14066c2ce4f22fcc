import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

const SCALARS = [ScalarType.STRING, ScalarType.BOOL, ScalarType.DOUBLE, ScalarType.INT32, ScalarType.UINT32];

/** Whether the message is free-form JSON: an object, or any value. */
export function isFreeForm(message: DescMessage | undefined): boolean {
  return message?.typeName === 'google.protobuf.Struct' || message?.typeName === 'google.protobuf.Value';
}

/** Whether the field is a free-form object. As a query parameter, it is a text in JSON. */
export function isObjectField({ fieldKind, message }: DescField): boolean {
  return fieldKind === 'message' && message.typeName === 'google.protobuf.Struct';
}

export function isTimestamp(message: DescMessage | undefined): boolean {
  return message?.typeName === 'google.protobuf.Timestamp';
}

/** Whether the message is one of ours: its JSON is an object with its fields as members. */
export function isMessageWithMembers(message: DescMessage | undefined): message is DescMessage {
  return message !== undefined && !isFreeForm(message) && !isTimestamp(message);
}

/**
 * Yields fields, and the fields of their messages with members. Enters each message once, because messages can contain
 * themselves.
 *
 * @param enters whether to enter the message of a field
 */
export function* nestedFields(
  fields: readonly DescField[],
  enters: (field: DescField) => boolean = () => true,
  entered: Set<DescMessage> = new Set(),
): Generator<DescField> {
  for (const field of fields) {
    yield field;
    const { message } = field;
    if (!isMessageWithMembers(message) || entered.has(message) || !enters(field)) continue;
    entered.add(message);
    yield* nestedFields(message.fields, enters, entered);
  }
}

/**
 * Finds a field that our JSON does not support, also in nested messages, and returns the problem. Unsupported are
 * 64-bit numbers, enums (use strings with an `in` rule), bytes, floats (use doubles), oneofs, map keys that are not
 * strings, and other well-known types of Google.
 */
export function findUnsupportedField(fields: readonly DescField[]): string | undefined {
  for (const field of nestedFields(fields)) {
    const problem = problemOf(field);
    if (problem !== undefined) return `${field.parent.typeName}.${field.name} ${problem}`;
  }
  return undefined;
}

function problemOf(field: DescField): string | undefined {
  if (field.oneof !== undefined) return 'is in a oneof; use optional fields';
  if (field.enum !== undefined) return 'is an enum; use a string with an in rule';
  if (field.scalar !== undefined && !SCALARS.includes(field.scalar))
    return `is of the type ${ScalarType[field.scalar].toLowerCase()}, which is not supported`;
  if (field.fieldKind === 'map' && field.mapKey !== ScalarType.STRING) return 'is a map whose keys are not strings';
  if (isMessageWithMembers(field.message) && field.message.typeName.startsWith('google.'))
    return `is a ${field.message.typeName}, which is not supported`;
  return undefined;
}
