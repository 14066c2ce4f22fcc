/**
 * Field codes that any operation can return, for malformed requests and broken field rules. The list is closed and
 * stable. Some operations have more codes, for rules of their own.
 */
export const FIELD_CODES = {
  // Malformed requests, `INVALID_REQUEST`.
  WRONG_TYPE: 'The value does not have the expected type.',
  UNKNOWN_FIELD: 'The body must not have this member: it is unknown, or the path sets it.',
  UNKNOWN_PARAMETER: 'There is no such query parameter.',
  REPEATED: 'A query parameter is there more than once.',
  DUPLICATE_MEMBER: 'An object has the member twice.',
  FORBIDDEN_NAME: 'A member is named `__proto__`.',
  NUMBER_OUT_OF_RANGE: 'The number is beyond ±(2^53 - 1).',
  TOO_DEEP: 'The JSON has more than 64 levels.',
  // Rules of fields, `VALIDATION_FAILED`, or `INVALID_REQUEST` for a query parameter.
  REQUIRED: 'The member is missing.',
  TOO_SHORT: 'The text has too few characters.',
  TOO_LONG: 'The text has too many characters.',
  TOO_FEW: 'The list or object has too few items.',
  TOO_MANY: 'The list or object has too many items.',
  DUPLICATE_ITEM: 'The list has an item twice.',
  OUT_OF_RANGE: 'The number is too small or too large.',
  UNKNOWN_VALUE: 'The value is not one of the allowed values.',
  BAD_FORMAT: 'The text does not have the required format, such as a UUID or an email address.',
  INVALID: 'The value breaks another rule.',
} as const;

export type FieldCode = keyof typeof FIELD_CODES;

/** The code for each `buf.validate` rule. A test requires one for every rule that the contract uses. */
const RULE_CODES: ReadonlyMap<string, FieldCode> = new Map<string, FieldCode>([
  ['required', 'REQUIRED'],
  ['string.min_len', 'TOO_SHORT'],
  ['string.max_len', 'TOO_LONG'],
  ['string.const', 'UNKNOWN_VALUE'],
  ['string.in', 'UNKNOWN_VALUE'],
  ['bool.const', 'UNKNOWN_VALUE'],
  ['string.pattern', 'BAD_FORMAT'],
  ['string.uuid', 'BAD_FORMAT'],
  ['string.email', 'BAD_FORMAT'],
  ['string.uri', 'BAD_FORMAT'],
  ['string.hostname', 'BAD_FORMAT'],
  ['bytes.len', 'BAD_FORMAT'],
  ['repeated.min_items', 'TOO_FEW'],
  ['repeated.max_items', 'TOO_MANY'],
  ['repeated.unique', 'DUPLICATE_ITEM'],
  ['map.min_pairs', 'TOO_FEW'],
  ['map.max_pairs', 'TOO_MANY'],
  ...['int32', 'uint32', 'double'].flatMap((type) => [
    ...['gt', 'gte', 'lt', 'lte'].map((rule) => [`${type}.${rule}`, 'OUT_OF_RANGE'] as const),
    ...['const', 'in'].map((rule) => [`${type}.${rule}`, 'UNKNOWN_VALUE'] as const),
  ]),
]);

/**
 * The code of a broken rule.
 *
 * @param rule path of field names from `buf.validate.FieldRules` to the rule: `['repeated', 'items', 'string', 'uuid']`
 */
export function fieldCodeOf(rule: readonly string[]): FieldCode | undefined {
  return RULE_CODES.get(rule.slice(-2).join('.'));
}
