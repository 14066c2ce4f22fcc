import { METADATA_LIMITS, METADATA_NAME, METADATA_SOURCES, METADATA_TYPES } from '../metadata/metadata-fields.ts';
import {
  boolean,
  list,
  missingMember,
  mustBe,
  mustBeOneOf,
  number,
  object,
  oneOf,
  required,
  string,
} from './schema.ts';

/** `YYYY-MM-DDThh:mm:ss` with an offset (RFC 3339), and up to nanoseconds. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function time(description: string) {
  return string({
    pattern: TIME,
    format: 'date-time',
    fault: mustBe('WRONG_TYPE', 'an RFC 3339 time such as "2026-12-31T23:00:00Z"', 'storing'),
    description,
    examples: ['2026-12-31T23:00:00Z'],
  });
}

function integer(maximum: number, description: string) {
  return number({
    integer: true,
    minimum: 1,
    maximum,
    fault: mustBe('BAD_RANGE', `an integer from 1 to ${maximum}`, 'storing'),
    description,
  });
}

const sources = mustBe('WRONG_TYPE', `an array of one or more of ${METADATA_SOURCES.join(', ')}`, 'storing');

const metadataField = object({
  title: 'SurveyMetadataField',
  noun: 'a metadata field',
  description: 'A declared member of the metadata of responses.',
  examples: [{ name: 'campaign', type: 'string', max_length: 100, from: ['url', 'link'] }],
  fault: mustBe('WRONG_TYPE', 'an object', 'storing'),
  members: {
    name: required(
      string({
        pattern: METADATA_NAME,
        fault: mustBe('WRONG_TYPE', 'a lower-case letter, then at most 63 lower-case letters, digits or _', 'storing'),
        description: 'Name of the member. Exports call its column `metadata.NAME`.',
      }),
      missingMember,
    ),
    type: required(
      oneOf(METADATA_TYPES, {
        fault: mustBeOneOf('WRONG_TYPE', METADATA_TYPES, 'storing'),
        description: 'Type of the values. A date is `YYYY-MM-DD`.',
      }),
      missingMember,
    ),
    max_length: integer(
      METADATA_LIMITS.textLength,
      `Maximum number of characters, only for the type \`string\`. Default: ${METADATA_LIMITS.textLength}.`,
    ),
    from: required(
      list(oneOf(METADATA_SOURCES, { fault: mustBeOneOf('WRONG_TYPE', METADATA_SOURCES, 'storing') }), {
        fault: sources,
        empty: sources,
        description:
          '`url`: requests without a token, such as those of the page. `token`: tokens of single-use links. ' +
          '`link`: links. `api`: requests with a token that has `responses:write`.',
      }),
      missingMember,
    ),
  },
});

/** The same members as `survey.surveys.v1.SurveySettings`; a test of the survey service compares them. */
export const settings = object({
  title: 'SurveySettings',
  noun: 'the settings',
  description: 'Access, opening times and limits. You can change them without a new version.',
  fault: mustBe('WRONG_TYPE', 'an object', 'storing'),
  members: {
    opens_at: time('Responses are rejected before this time.'),
    closes_at: time('The survey closes itself at this time. Must be after `opens_at`.'),
    response_limit: integer(2 ** 31 - 1, 'Maximum number of completed responses.'),
    access: oneOf(['open', 'links_only'], {
      fault: mustBeOneOf('WRONG_TYPE', ['open', 'links_only'], 'storing'),
      default: 'open',
      description: 'With `links_only`, respondents need a link.',
    }),
    languages: list(string(), {
      fault: mustBe('WRONG_TYPE', 'an array of language tags', 'storing'),
      description: 'The declared languages that are offered; `de-AT` also finds `de`. Default: all.',
    }),
    retention_days: integer(36_500, 'Responses are deleted this many days after they were created. Default: never.'),
    resume_across_devices: boolean({
      fault: mustBe('WRONG_TYPE', 'true or false', 'storing'),
      default: true,
      description:
        'Whether respondents with a single-use link can continue on another device. Whoever has the address can then read unfinished answers.',
    }),
    metadata_fields: list(metadataField, {
      fault: mustBe('WRONG_TYPE', 'an array', 'storing'),
      maxItems: METADATA_LIMITS.fields,
      description: 'Declared metadata of responses, each with its own name.',
    }),
  },
});
