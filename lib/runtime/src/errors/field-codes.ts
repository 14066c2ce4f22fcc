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

/**
 * Further field codes, for rules of single operations, with their meaning. Codes of answers and definitions are in
 * `lib/questionnaire`. A test finds codes that are missing in all of them.
 */
export const OPERATION_CODES = {
  ADDRESS_REFUSED: 'The host of a webhook resolves to an address that is not public.',
  BAD_RANGE: 'The start of a range is after its end.',
  ENDS_TOO_LATE: 'An API key would end later than the key that creates or changes it.',
  FILE_EMPTY: 'The file has no content.',
  FILE_KIND_REFUSED: 'The question does not accept files of this kind.',
  FILE_NOT_FOUND: 'No file with this id was uploaded for this question, or another response has it.',
  FILE_TOO_LARGE: 'The file is larger than the question allows.',
  FRAGMENT_REFUSED: 'The URL of a webhook has a fragment.',
  HIDDEN_HEADER_VALUE:
    'A hidden value of a header belongs to another scheme, host or port. Send it again, or remove it.',
  INVALID_SECRET: 'The signing secret does not have the required form.',
  INVALID_TIME: 'A time is outside of the years 1 to 9999.',
  INVALID_URL: 'The value is not an absolute URL.',
  IN_FUTURE: 'The time is in the future.',
  NOT_A_TABLE: 'The option is only for tables of answers.',
  NOT_GROUPABLE: 'Responses cannot be grouped by a question of this type.',
  NOT_IN_DRAFT: 'A draft does not take this member.',
  NOT_IN_FUTURE: 'The time is not in the future.',
  NOT_SINGLE_USE: 'Only single-use links have tokens.',
  NOT_WITH_RANDOM: 'The parameter cannot be combined with a random sample.',
  NO_FILE_UPLOAD: 'The question is no file upload.',
  NO_SUCH_FORMAT: 'The source has no such format.',
  NO_WORD: 'A search text has no letter and no digit.',
  OTHER_COUNT: 'A plan has another number of responses than expected.',
  PORT_REFUSED: 'Webhooks cannot use this port.',
  SCHEME_REFUSED: 'Webhooks cannot use this scheme.',
  SLUG_TAKEN: 'Another link has this slug, or had it in the last 90 days.',
  TOO_LARGE: 'The values together are too large.',
  TOO_MANY_BUCKETS: 'The time has too many intervals for one summary.',
  TOO_MANY_COLUMNS: 'The versions of the survey need too many columns for one table.',
  TOO_MANY_FILES: 'A response in progress has replaced too many files.',
  TOO_MANY_HEADERS: 'A webhook has too many headers.',
  TOO_MANY_RESPONSES: 'The selection has more responses than one plan can have.',
  UNDECLARED_LANGUAGE: 'The survey is not translated into this language.',
  UNKNOWN_EVENT_TYPE: 'There is no such type of event.',
  UNKNOWN_PERMISSION: 'There is no such permission.',
  UNKNOWN_PROJECT: 'There is no project with this id.',
  UNKNOWN_SURVEY: 'There is no survey with this id.',
  UNKNOWN_TIME_ZONE: 'There is no time zone with this name.',
  UNKNOWN_VERSION: 'There is no published version with this number.',
  USER_INFO_REFUSED: 'The URL of a webhook has a user name or a password.',
} as const;

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
