import { isBlank } from '../answers/plain-text.ts';
import { isAbsent, isArray, isObject, type JsonObject } from '../json.ts';
import { pointer } from '../pointer.ts';
import type {
  Fault,
  NumberSchema,
  ObjectSchema,
  Schema,
  StringSchema,
  Text,
  TextSchema,
  Translations,
  VariantsSchema,
} from './schema.ts';

/** Receives the problems of a value. Paths are JSON pointers. */
export interface Findings {
  /** @param name the member for the detail: `title`, or `every item of pages` */
  add(fault: Fault, path: string, name: string, value: unknown): void;
  addUnknownMember(owner: ObjectSchema, path: string, name: string): void;
  /** Called for each valid text with translations. */
  addTranslations(translations: Translations, path: string): void;
  /** Called with an object with variants (a question) before its problems are added, and with undefined after them. */
  setQuestion(subject: JsonObject | undefined): void;
  /** Whether to stop, since more problems would not be used. */
  isFull(): boolean;
}

/** Finds the problems of a JSON value. */
export function check(schema: Schema, value: unknown, findings: Findings): void {
  visit(schema, value, '', undefined, findings);
}

/** Whether a value fits a schema, apart from tolerated faults. */
export function fits(schema: Schema, value: unknown): boolean {
  let isFit = true;
  const fail = (): void => {
    isFit = false;
  };
  const findings = {
    add: ({ isTolerated }: Fault) => (isTolerated === true ? undefined : fail()),
    addUnknownMember: fail,
    addTranslations: () => {},
    setQuestion: () => {},
    isFull: () => !isFit,
  };
  return visit(schema, value, '', undefined, findings) && isFit;
}

/** The alternative of a union for the JSON type of a value. */
export function alternativeOf(alternatives: readonly Schema[], value: unknown): Schema | undefined {
  return alternatives.find((alternative) => hasJsonType(alternative, value));
}

/** The variant for the `type` of an object. */
export function variantOf({ variants, fallback }: VariantsSchema, { type }: JsonObject): ObjectSchema {
  return (typeof type === 'string' && Object.hasOwn(variants, type) ? variants[type] : undefined) ?? fallback;
}

/** Member name or index of a value; undefined for the root. */
type Key = string | number | undefined;

/**
 * Adds the problems of the value at `key` of the object or array at `ownerPath`. Returns true if the value fits, or if
 * its problems were added. Returns false if the fault of the enclosing value must be added.
 */
function visit(schema: Schema, value: unknown, ownerPath: string, key: Key, findings: Findings): boolean {
  return (
    visitContent(schema, value, ownerPath, key, findings) ||
    addFault('fault' in schema ? schema.fault : undefined, value, ownerPath, key, findings)
  );
}

function addFault(fault: Fault | undefined, value: unknown, ownerPath: string, key: Key, findings: Findings): boolean {
  if (fault === undefined) return false;
  const ownerName = ownerPath.slice(ownerPath.lastIndexOf('/') + 1);
  const name = typeof key === 'number' ? `every item of ${ownerName}` : (key ?? '');
  findings.add(fault, pathOf(ownerPath, key), name, value);
  return true;
}

/** Makes the path of a value. It is slow, so call it only for problems and for values with content. */
function pathOf(ownerPath: string, key: Key): string {
  if (key === undefined) return ownerPath;
  return typeof key === 'number' ? `${ownerPath}/${key}` : pointer(ownerPath, key);
}

/** Like `visit`, but does not add `schema.fault`. */
function visitContent(schema: Schema, value: unknown, ownerPath: string, key: Key, findings: Findings): boolean {
  switch (schema.kind) {
    case 'any':
      return true;
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      if (typeof value !== 'string') return false;
      return isString(schema, value) || addFault(schema.malformed, value, ownerPath, key, findings);
    case 'number':
      if (typeof value !== 'number' || !isNumber(schema, value)) return false;
      return (
        schema.excess === undefined ||
        !isAbove(schema, value) ||
        addFault(schema.excess, value, ownerPath, key, findings)
      );
    case 'text':
      return visitText(schema, value, ownerPath, key, findings);
    case 'list': {
      if (!isArray(value)) return false;
      if (value.length === 0)
        return schema.empty === undefined || addFault(schema.empty, value, ownerPath, key, findings);
      return visitItems(schema.items, value, pathOf(ownerPath, key), findings);
    }
    case 'map':
      return isObject(value) && visitValues(schema.values, value, pathOf(ownerPath, key), findings);
    case 'object':
      return isObject(value) && visitMembers(schema, value, pathOf(ownerPath, key), findings);
    case 'union': {
      const alternative = alternativeOf(schema.of, value);
      return alternative !== undefined && visit(alternative, value, ownerPath, key, findings);
    }
    default: {
      if (!isObject(value)) return false;
      findings.setQuestion(value);
      const isFit = visitMembers(variantOf(schema, value), value, pathOf(ownerPath, key), findings);
      findings.setQuestion(undefined);
      return isFit;
    }
  }
}

function visitItems(items: Schema, list: readonly unknown[], path: string, findings: Findings): boolean {
  let isFit = true;
  for (let index = 0; index < list.length && !findings.isFull(); index++) {
    isFit = visit(items, list[index], path, index, findings) && isFit;
  }
  return isFit;
}

function visitValues(values: Schema, map: JsonObject, path: string, findings: Findings): boolean {
  if (values.kind === 'any') return true;
  let isFit = true;
  for (const name of Object.keys(map)) {
    if (findings.isFull()) break;
    isFit = visit(values, map[name], path, name, findings) && isFit;
  }
  return isFit;
}

function visitText({ blank }: TextSchema, value: unknown, ownerPath: string, key: Key, findings: Findings): boolean {
  if (typeof value !== 'string' && !isTranslations(value)) return false;
  if (blank !== undefined && isBlankText(value)) return addFault(blank, value, ownerPath, key, findings);
  if (typeof value !== 'string') findings.addTranslations(value, pathOf(ownerPath, key));
  return true;
}

function isTranslations(value: unknown): value is Translations {
  return isObject(value) && Object.values(value).every((translation) => typeof translation === 'string');
}

function isBlankText(given: Text): boolean {
  return typeof given === 'string' ? isBlank(given) : Object.values(given).every(isBlank);
}

function visitMembers(schema: ObjectSchema, value: JsonObject, path: string, findings: Findings): boolean {
  const { members, ignored } = schema;
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(members, name) || ignored.includes(name)) continue;
    if (findings.isFull()) break;
    findings.addUnknownMember(schema, pointer(path, name), name);
  }
  let isFit = true;
  for (const name in members) {
    const member = members[name];
    if (member === undefined) continue;
    const given = value[name];
    if (!isAbsent(given)) isFit = visit(member.schema, given, path, name, findings) && isFit;
    else if (member.missing !== undefined) addFault(member.missing, given, path, name, findings);
  }
  return isFit;
}

function isString({ enum: names, pattern, maxLength }: StringSchema, value: string): boolean {
  return (
    (names === undefined || names.includes(value)) &&
    (pattern === undefined || pattern.test(value)) &&
    (maxLength === undefined || value.length <= maxLength)
  );
}

function isAbove({ maximum }: NumberSchema, value: number): boolean {
  return maximum !== undefined && value > maximum;
}

function isNumber(schema: NumberSchema, value: number): boolean {
  const { integer, minimum, exclusiveMinimum, excess } = schema;
  return (
    Number.isFinite(value) &&
    (integer === undefined || Number.isInteger(value)) &&
    (minimum === undefined || value >= minimum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (excess !== undefined || !isAbove(schema, value))
  );
}

/** Whether a value has the JSON type of an alternative of a union. */
function hasJsonType({ kind }: Schema, value: unknown): boolean {
  switch (kind) {
    case 'null':
      return value === null;
    case 'boolean':
    case 'string':
    case 'number':
      return typeof value === kind;
    case 'text':
      return typeof value === 'string' || isObject(value);
    case 'list':
      return isArray(value);
    default:
      return isObject(value);
  }
}
