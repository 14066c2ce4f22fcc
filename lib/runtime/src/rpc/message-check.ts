import { type DescField, type DescMessage, getOption, isMessage, type MessageShape } from '@bufbuild/protobuf';
import {
  isReflectList,
  isReflectMap,
  isReflectMessage,
  type ReflectMessage,
  reflect,
} from '@bufbuild/protobuf/reflect';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { createValidator, type Violation } from '@bufbuild/protovalidate';
import { FieldRulesSchema, field as fieldRules } from '@survey/proto/buf/validate/validate_pb';
import { nearestName } from '@survey/questionnaire/definition/nearest-name';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '../errors/app-error.ts';
import { fieldCodeOf } from '../errors/field-codes.ts';
import { toPointerToken } from '../json/pointer.ts';
import { updateMaskOf } from './message-fields.ts';

/**
 * Throws `VALIDATION_FAILED` with the fields that break a `buf.validate` rule. In a patch, fields that do not change
 * are ignored (`isRuleApplicable`).
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
    const root = reflect(schema, message);
    const errors = violations.slice(0, MAX_FIELD_PROBLEMS).map((violation) => toProblem(violation, root));
    throw new AppError('VALIDATION_FAILED', { errors });
  };
}

/** The fields on the path of a violation, up to the first list or map. */
function fieldsOf(path: Violation['field']): readonly DescField[] {
  const end = path.findIndex(({ kind }) => kind !== 'field');
  return path.slice(0, end < 0 ? path.length : end).filter((part) => part.kind === 'field');
}

function toProblem(violation: Violation, message: ReflectMessage): FieldProblem {
  let path = '';
  for (const part of violation.field) {
    if (part.kind === 'field') path += toPointerToken(part.name);
    else if (part.kind === 'list_sub') path += toPointerToken(part.index);
    else if (part.kind === 'map_sub') path += toPointerToken(String(part.key));
  }
  const rule = violation.rule.flatMap((part) => (part.kind === 'field' ? [part.name] : []));
  const detail = rule.at(-1) === 'in' ? listAllowed(violation, message) : violation.message;
  return { path, code: fieldCodeOf(rule) ?? 'INVALID', detail };
}

/**
 * Lists the allowed values, and suggests the most similar one. Omits the empty text, which only allows an absent field.
 */
function listAllowed({ field, rule }: Violation, message: ReflectMessage): string {
  const owner = field.findLast((part) => part.kind === 'field');
  const list = owner && valueAt(reflect(FieldRulesSchema, getOption(owner, fieldRules)), rule);
  const allowed = isReflectList(list) ? Array.from(list, String).filter((value) => value !== '') : [];
  const nearest = nearestName(String(valueAt(message, field)), allowed);
  return `must be one of ${allowed.join(', ')}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

function valueAt(message: ReflectMessage, path: Violation['field']): unknown {
  let value: unknown = message;
  for (const part of path) {
    if (part.kind === 'field' && isReflectMessage(value)) value = value.get(part);
    else if (part.kind === 'list_sub' && isReflectList(value)) value = value.get(part.index);
    else if (part.kind === 'map_sub' && isReflectMap(value)) value = value.get(part.key);
  }
  return value;
}

/**
 * Whether a rule of a field applies to this request. In a request with an `update_mask`, rules apply only to fields
 * that are in the mask, or set, such as ids from the path.
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
