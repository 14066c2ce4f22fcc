import {
  type DescField,
  type DescMessage,
  fromJson,
  getOption,
  type JsonValue,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf';
import { takes_schema_reference as takesSchemaReference } from '@survey/proto/survey/options/v1/options_pb';
import { nearestName } from '@survey/questionnaire/definition/nearest-name';
import { AppError, type FieldProblem, MAX_FIELD_PROBLEMS } from '../errors/app-error.ts';
import type { FieldCode } from '../errors/field-codes.ts';
import { isObject } from '../json/is-object.ts';
import { toPointerToken } from '../json/pointer.ts';
import { parseTimestamp } from './timestamp.ts';

type FindMissing = (schema: DescMessage, json: unknown) => readonly FieldProblem[];

/** Names of fields for ids that the platform makes. These ids are UUIDs in lower case. */
const OWN_IDS = /^(?:survey|project|link|response|file|import|webhook|delivery|replay|event|key)_ids?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Converts parsed JSON to a message, more strictly than protobuf's JSON: names as in the proto, no unknown members, no
 * numbers or booleans as strings. Null means absent. Throws `INVALID_REQUEST` with up to a hundred invalid members.
 *
 * @param findMissing finds missing members, to report them together with invalid ones
 */
export function messageFromJson<Desc extends DescMessage>(
  schema: Desc,
  json: unknown,
  findMissing: FindMissing = () => [],
): MessageShape<Desc> {
  const problems: FieldProblem[] = [];
  const checked = readMessage(schema, json, '', problems);
  if (problems.length === 0) return fromJson(schema, checked);
  const errors = [...problems, ...findMissing(schema, json)];
  throw new AppError('INVALID_REQUEST', { errors: errors.slice(0, MAX_FIELD_PROBLEMS) });
}

function readMessage(schema: DescMessage, json: unknown, path: string, problems: FieldProblem[]): JsonValue {
  switch (schema.typeName) {
    case 'google.protobuf.Timestamp':
      return readTimestamp(json, path, problems);
    case 'google.protobuf.Struct':
      return isObject(json) ? readFreeForm(json, path, problems) : report(problems, path, 'must be an object');
    case 'google.protobuf.Value':
      return readFreeForm(json, path, problems);
  }
  if (!isObject(json)) return report(problems, path, 'must be an object');
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(json)) {
    const field = schema.fields.find((candidate) => candidate.name === name && !isUpdateMask(candidate));
    const memberPath = path + toPointerToken(name);
    if (isSchemaReference(schema, name)) {
      if (typeof value !== 'string') report(problems, memberPath, 'must be a string');
    } else if (field === undefined) {
      const detail = `There is no such member${suggestName(name, schema.fields)}`;
      report(problems, memberPath, detail, 'UNKNOWN_FIELD');
    } else if (value !== null) result[name] = readField(field, value, memberPath, problems);
  }
  return result;
}

/** Advises the known name that is most similar to an unknown one; empty if none is similar. */
export function suggestName(name: string, fields: Iterable<DescField>): string {
  const names = Array.from(fields, (field) => field.name).filter((known) => known !== 'update_mask');
  const nearest = nearestName(name, names);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** Whether a member is `$schema`, which editors write into files. It has no effect. */
function isSchemaReference(schema: DescMessage, name: string): boolean {
  return name === '$schema' && getOption(schema, takesSchemaReference);
}

function readField(field: DescField, json: unknown, path: string, problems: FieldProblem[]): JsonValue {
  switch (field.fieldKind) {
    case 'scalar':
      return lowerCaseOwnId(field, readScalar(field.scalar, json, path, problems));
    case 'message':
      return readMessage(field.message, json, path, problems);
    case 'list':
      if (!Array.isArray(json)) return report(problems, path, 'must be an array');
      return json.map((item, index) => readItem(field, item, `${path}/${index}`, problems));
    case 'map':
      if (!isObject(json)) return report(problems, path, 'must be an object');
      return Object.fromEntries(
        Object.entries(json).map(([key, item]) => {
          const memberPath = path + toPointerToken(key);
          if (!key.isWellFormed()) report(problems, memberPath, 'has a name that is not well-formed Unicode');
          return [key, readItem(field, item, memberPath, problems)];
        }),
      );
    case 'enum':
      throw new Error(
        `${field.parent.typeName}.${field.name} is an enum: declare a string with its allowed values instead`,
      );
  }
}

function readItem(
  field: DescField & { fieldKind: 'list' | 'map' },
  json: unknown,
  path: string,
  problems: FieldProblem[],
): JsonValue {
  if (field.message !== undefined) return readMessage(field.message, json, path, problems);
  if (field.scalar === undefined) throw new Error(`${field.parent.typeName}.${field.name} holds enums`);
  return lowerCaseOwnId(field, readScalar(field.scalar, json, path, problems));
}

/** Some tools write UUIDs in capitals. Ids that the platform does not make keep their case. */
function lowerCaseOwnId({ name }: DescField, value: JsonValue): JsonValue {
  const isOwnId = typeof value === 'string' && OWN_IDS.test(name) && UUID.test(value);
  return isOwnId ? value.toLowerCase() : value;
}

function readScalar(type: ScalarType, json: unknown, path: string, problems: FieldProblem[]): JsonValue {
  switch (type) {
    case ScalarType.STRING:
      if (typeof json !== 'string') return report(problems, path, 'must be a string');
      return json.isWellFormed() ? json : report(problems, path, 'must be well-formed Unicode');
    case ScalarType.BOOL:
      return typeof json === 'boolean' ? json : report(problems, path, 'must be true or false');
    case ScalarType.DOUBLE:
      return typeof json === 'number' && Number.isFinite(json) ? json : report(problems, path, 'must be a number');
    case ScalarType.INT32:
      return isInteger(json, -(2 ** 31), 2 ** 31 - 1)
        ? json
        : report(problems, path, 'must be a whole number of 32 bits');
    case ScalarType.UINT32:
      return isInteger(json, 0, 2 ** 32 - 1)
        ? json
        : report(problems, path, 'must be a whole number of 32 bits, not negative');
    default:
      throw new Error(`fields of the scalar type ${ScalarType[type]} are not supported`);
  }
}

function readTimestamp(json: unknown, path: string, problems: FieldProblem[]): JsonValue {
  const date = typeof json === 'string' ? parseTimestamp(json) : undefined;
  return date?.toISOString() ?? report(problems, path, 'must be an RFC 3339 timestamp');
}

function readFreeForm(json: unknown, path: string, problems: FieldProblem[]): JsonValue {
  // Fast path: only malformed text needs the slower search for the location of the problem.
  if (!isWellFormed(json)) findMalformed(json, path, problems);
  return json as JsonValue; // it came from `parseJson`
}

/** Whether all texts and names are well-formed Unicode. */
function isWellFormed(json: unknown): boolean {
  if (typeof json === 'string') return json.isWellFormed();
  if (typeof json !== 'object' || json === null) return true;
  return Object.entries(json).every(([name, value]) => name.isWellFormed() && isWellFormed(value));
}

function findMalformed(json: unknown, path: string, problems: FieldProblem[]): void {
  if (typeof json === 'object' && json !== null) {
    for (const [name, value] of Object.entries(json)) {
      const memberPath = path + toPointerToken(name);
      if (!name.isWellFormed()) report(problems, memberPath, 'has a name that is not well-formed Unicode');
      findMalformed(value, memberPath, problems);
    }
  } else if (typeof json === 'string' && !json.isWellFormed()) {
    report(problems, path, 'must be well-formed Unicode');
  }
}

/** Adds a problem. Throws when the maximum is reached. */
function report(problems: FieldProblem[], path: string, detail: string, code: FieldCode = 'WRONG_TYPE'): null {
  problems.push({ path, code, detail });
  if (problems.length === MAX_FIELD_PROBLEMS) throw new AppError('INVALID_REQUEST', { errors: problems });
  return null;
}

function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** Clients cannot send the update mask: it is derived from the members of the body. */
function isUpdateMask(field: DescField): boolean {
  return field.message?.typeName === 'google.protobuf.FieldMask';
}
