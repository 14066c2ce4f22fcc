import { boolean, list, mustBe, mustBeOneOf, number, object, oneOf, string } from './schema.ts';

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
  },
});
