import { type JsonObject, setMember } from '../json.ts';

/**
 * Values that count as unanswered. A text of other invisible characters than white space also counts as unanswered, but
 * JSON Schema cannot express this.
 */
export const UNANSWERED: JsonObject = {
  anyOf: [{ enum: [null, [], {}] }, { type: 'string', pattern: '^\\s*$' }],
};

/** A text that matches every pattern. */
export function textJson(minLength: number, maxLength: number, patterns: readonly string[]): JsonObject {
  return {
    type: 'string',
    ...(minLength > 0 ? { minLength } : {}),
    maxLength,
    ...(patterns.length > 0 ? { allOf: patterns.map((pattern) => ({ pattern })) } : {}),
  };
}

/** One of the ids. */
export function idJson(ids: readonly string[]): JsonObject {
  return ids.length === 0 ? { not: {} } : { type: 'string', enum: ids };
}

/** A set of ids. */
export function idSetJson(ids: readonly string[], minItems = 1, maxItems = Number.POSITIVE_INFINITY): JsonObject {
  return {
    type: 'array',
    items: idJson(ids),
    uniqueItems: true,
    minItems,
    ...(maxItems < ids.length ? { maxItems } : {}),
  };
}

/** An object with these members and no others. */
export function objectJson(properties: JsonObject, required: readonly string[]): JsonObject {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** An object with an answer for each row, of which at least `needed` must be there. */
export function rowsJson(ids: readonly string[], cell: JsonObject, needed: number): JsonObject {
  const isComplete = needed === ids.length;
  const properties: Record<string, JsonObject> = {};
  for (const id of ids) setMember(properties, id, isComplete ? cell : { anyOf: [cell, UNANSWERED] });
  return { ...objectJson(properties, isComplete ? ids : []), ...(isComplete ? {} : { minProperties: needed }) };
}
