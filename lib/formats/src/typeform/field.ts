import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';

/** A field with its properties and validations. A field that is not an object is empty. */
export interface Field {
  readonly source: JsonObject;
  readonly path: string;
  readonly type: string;
  /** Identifies the field in jumps. */
  readonly ref: string;
  readonly id: string;
  readonly properties: JsonObject;
  readonly validations: JsonObject;
  readonly fields: readonly Field[];
}

/** The recursion is bounded: the JSON reader limits nesting. */
export function toField(value: JsonValue, path: string): Field {
  const source = isObject(value) ? value : {};
  const properties = objectOf(source['properties']);
  const inside = isArray(properties['fields']) ? properties['fields'] : [];
  const id = nonEmptyText(source['id']) ?? nonEmptyText(source['ref']) ?? path;
  return {
    source,
    path,
    id,
    type: typeof source['type'] === 'string' ? source['type'] : '',
    ref: nonEmptyText(source['ref']) ?? id,
    properties,
    validations: objectOf(source['validations']),
    fields: inside.map((field, index) => toField(field, `${path}/properties/fields/${index}`)),
  };
}

/** A setting of a field. In webhook payloads, settings are beside `properties`. */
export function settingOf({ source, properties }: Field, name: string): JsonValue | undefined {
  return properties[name] ?? source[name];
}

/** The choices of a field, with their locations. */
export function choicesOf(field: Field): readonly { readonly choice: JsonObject; readonly path: string }[] {
  const own = field.properties['choices'];
  const list = own ?? field.source['choices'];
  const base = `${field.path}${own === undefined ? '' : '/properties'}/choices`;
  return isArray(list)
    ? list.flatMap((choice, index) => (isObject(choice) ? [{ choice, path: `${base}/${index}` }] : []))
    : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function nonEmptyText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
