import { type DescField, type DescMessage, isMessage, type MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { createValidator, type Violation } from '@bufbuild/protovalidate';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '../errors/app-error.ts';
import { fieldCodeOf } from '../errors/field-codes.ts';
import { toPointerToken } from '../json/pointer.ts';
import { updateMaskOf } from './message-fields.ts';

/**
 * Throws `VALIDATION_FAILED` with all fields that break a `buf.validate` rule. Of a patch, it checks only changed
 * fields.
 */
export type MessageCheck = <Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>) => void;

/** Creates a message check, which caches the rules of messages. */
export function createMessageCheck(): MessageCheck {
  const validator = createValidator();

  return (schema, message) => {
    const result = validator.validate(schema, message);
    if (result.kind === 'valid') return;
    if (result.kind === 'error') throw result.error;
    const violations = result.violations.filter(({ field }) => isRuleApplicable(schema, message, fieldsOf(field)));
    if (violations.length === 0) return;
    const errors = violations.slice(0, MAX_FIELD_PROBLEMS).map(toProblem);
    throw new AppError('VALIDATION_FAILED', { errors });
  };
}

/** The fields on the path of a violation, up to the first list or map. */
function fieldsOf(path: Violation['field']): readonly DescField[] {
  const end = path.findIndex(({ kind }) => kind !== 'field');
  return path.slice(0, end < 0 ? path.length : end).filter((part) => part.kind === 'field');
}

function toProblem(violation: Violation): FieldProblem {
  let path = '';
  for (const part of violation.field) {
    if (part.kind === 'field') path += toPointerToken(part.name);
    else if (part.kind === 'list_sub') path += toPointerToken(part.index);
    else if (part.kind === 'map_sub') path += toPointerToken(String(part.key));
  }
  const rule = violation.rule.flatMap((part) => (part.kind === 'field' ? [part.name] : []));
  return { path, code: fieldCodeOf(rule) ?? 'INVALID', detail: violation.message };
}

/**
 * Whether a rule of a field applies to this request. In a request with an `update_mask`, rules apply only to fields
 * that are in the mask or set: other fields do not change.
 */
function isRuleApplicable(
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
