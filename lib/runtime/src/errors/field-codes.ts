/**
 * Field codes that any operation can return, for malformed requests and broken field rules. The list is closed and
 * stable. `advice` is what callers should do. Some operations have more codes, for rules of their own.
 */
export const FIELD_CODES = {
  // Malformed requests, `INVALID_REQUEST`.
  WRONG_TYPE: { meaning: 'The value does not have the expected type.', advice: 'Send the type that `/docs` shows.' },
  UNKNOWN_FIELD: {
    meaning: 'The body must not have this member: it is unknown, or the path sets it.',
    advice: 'Remove the member, or correct its name.',
  },
  UNKNOWN_PARAMETER: {
    meaning: 'There is no such query parameter.',
    advice: 'Remove the parameter, or correct its name.',
  },
  REPEATED: { meaning: 'A query parameter is there more than once.', advice: 'Send it once.' },
  DUPLICATE_MEMBER: { meaning: 'An object has the member twice.', advice: 'Send it once.' },
  FORBIDDEN_NAME: { meaning: 'A member is named `__proto__`.', advice: 'Use another name.' },
  NUMBER_OUT_OF_RANGE: { meaning: 'The number is beyond ±(2^53 - 1).', advice: 'Send a smaller number, or a text.' },
  TOO_DEEP: { meaning: 'The JSON has more than 64 levels.', advice: 'Nest less.' },
  // Rules of fields, `VALIDATION_FAILED`, or `INVALID_REQUEST` for a query parameter.
  REQUIRED: { meaning: 'The member is missing.', advice: 'Add it.' },
  TOO_SHORT: { meaning: 'The text has too few characters.', advice: 'Send a longer text.' },
  TOO_LONG: { meaning: 'The text has too many characters.', advice: 'Shorten the text.' },
  TOO_FEW: { meaning: 'The list or object has too few items.', advice: 'Add items.' },
  TOO_MANY: { meaning: 'The list or object has too many items.', advice: 'Remove items, or split the request.' },
  DUPLICATE_ITEM: { meaning: 'The list has an item twice.', advice: 'Send it once.' },
  OUT_OF_RANGE: {
    meaning: 'The number is too small or too large.',
    advice: 'Send a number within the limits in `/docs`.',
  },
  UNKNOWN_VALUE: {
    meaning: 'The value is not one of the allowed values.',
    advice: 'Choose a value that `/docs` lists.',
  },
  BAD_FORMAT: {
    meaning: 'The text does not have the required format, such as a UUID or an email address.',
    advice: 'Send the format that `/docs` shows.',
  },
  INVALID: { meaning: 'The value breaks another rule.', advice: 'Do what `detail` says.' },
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
  ['double.finite', 'OUT_OF_RANGE'],
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
