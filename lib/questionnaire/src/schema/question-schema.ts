import { TEXT_FORMAT_NAMES } from '../answers/text-formats.ts';
import type { JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { optionList, ratingOptions } from './option-schema.ts';
import {
  boolean,
  type Fault,
  fault,
  list,
  type MemberSchemas,
  map,
  mustBe,
  mustBeOneOf,
  nullValue,
  number,
  object,
  oneOf,
  required,
  string,
  union,
  type ValueOf,
  variants,
} from './schema.ts';
import { freeMembers, requiredTitle, translatable, wrongText } from './texts.ts';

function flag(description: string) {
  return boolean({ fault: mustBe('WRONG_TYPE', 'true or false'), default: false, description });
}

function integer(minimum: number, description: string, value?: number) {
  return number({
    integer: true,
    minimum,
    fault: mustBe('BAD_RANGE', `an integer of at least ${minimum}`),
    description,
    ...(value === undefined ? {} : { default: value }),
  });
}

function decimal(description: string, value: number) {
  return number({ fault: mustBe('BAD_RANGE', 'a number'), default: value, description });
}

const aString = mustBe('WRONG_TYPE', 'a string');

// The names of the types are known after their schemas.
const unknownType: Fault = {
  code: 'UNKNOWN_TYPE',
  detail: () => `the type must be one of ${QUESTION_TYPE_NAMES.join(', ')}`,
  blocks: 'storing',
  get names() {
    return QUESTION_TYPE_NAMES;
  },
};
const missingType: Fault = {
  code: 'MISSING_MEMBER',
  detail: () => `the question has no type; it must be one of ${QUESTION_TYPE_NAMES.join(', ')}`,
  blocks: 'storing',
};

const common = {
  title: requiredTitle('The text of the question.'),
  id: string({
    fault: fault('WRONG_TYPE', 'the id must be a string', 'storing'),
    description:
      `1 to ${LIMITS.id} of the characters \`A-Z a-z 0-9 _ . -\`, unique in the survey. Generated when missing. ` +
      'Answers, logic and exports use it.',
  }),
  description: translatable('An explanation for respondents.'),
  required: flag('Whether an answer is required. A question hidden by logic is never required.'),
} as const;

interface TypeTexts {
  readonly title: string;
  readonly description: string;
  /** Members of a question, besides the type. */
  readonly example: JsonObject;
}

function questionOf<const Type extends string, const Own extends MemberSchemas>(
  type: Type,
  { title, description, example }: TypeTexts,
  own: Own,
) {
  return object({
    title,
    description,
    examples: [{ type, ...example }],
    noun: 'a question',
    members: {
      type: required(oneOf([type], { fault: unknownType, description: 'The question type.' }), missingType),
      ...common,
      ...own,
      ...freeMembers,
    },
  });
}

const options = optionList('The options. Required to publish.');
const requiredRows = integer(0, 'If `required` is true: how many rows, any of them, need an answer. Default: all.');
const otherText = `a text of up to ${LIMITS.otherText.toLocaleString('en')} characters`;
const otherNote = 'the text of `allow_other` counts as one';
const characters = 'in characters (Unicode code points)';
function lengths(longest: number) {
  return {
    min_length: integer(0, `Shortest text, ${characters}.`, 0),
    max_length: number({
      integer: true,
      minimum: 0,
      maximum: LIMITS.textLength,
      fault: mustBe('BAD_RANGE', 'an integer of at least 0'),
      // Surveys published by an earlier release can have more.
      excess: { ...mustBe('LIMIT_EXCEEDED', `at most ${LIMITS.textLength}`, 'storing'), isTolerated: true },
      description: `Longest text, ${characters}.`,
      default: longest,
    }),
  };
}
const label = union([translatable('The text of a value.'), nullValue], { fault: wrongText });

const QUESTIONS = {
  single_choice: questionOf(
    'single_choice',
    {
      title: 'SingleChoiceQuestion',
      description: 'One of several options.',
      example: { id: 'drink', title: 'What did you drink?', options: ['Tea', { id: 'water', text: 'Water' }] },
    },
    { options, allow_other: flag(`Respondents can enter ${otherText} instead.`) },
  ),
  multiple_choice: questionOf(
    'multiple_choice',
    {
      title: 'MultipleChoiceQuestion',
      description: 'Any number of options.',
      example: { id: 'dishes', title: 'What did you eat?', options: ['Soup', 'Rice'], max_selections: 2 },
    },
    {
      options,
      allow_other: flag(`Respondents can add ${otherText}.`),
      min_selections: integer(
        0,
        `Minimum number of chosen options; ${otherNote}. An exclusive option is enough alone. To force an answer, also ` +
          'set `required`.',
      ),
      max_selections: integer(1, `Maximum number of chosen options; ${otherNote}.`),
    },
  ),
  text: questionOf(
    'text',
    {
      title: 'TextQuestion',
      description: 'One line of text.',
      example: { id: 'badge', title: 'Badge number', pattern: '^[A-Z]{2}[0-9]{4}$' },
    },
    {
      ...lengths(LIMITS.text),
      format: oneOf(TEXT_FORMAT_NAMES, {
        fault: mustBeOneOf('WRONG_TYPE', TEXT_FORMAT_NAMES),
        malformed: mustBeOneOf('UNKNOWN_FORMAT', TEXT_FORMAT_NAMES),
        description:
          'The kind of text: `email` (a domain with a dot), `url` (begins with `http://` or `https://`), `phone` ' +
          '(5 to 15 digits), `number` (decimal, such as `-1.5` or `2e3`) or `integer`. The answer stays a string.',
      }),
      pattern: string({
        fault: aString,
        description:
          'A regular expression in [RE2 syntax](https://github.com/google/re2/wiki/Syntax): without look-around and ' +
          'back-references. It matches anywhere in the text; use `^` and `$` to match all of it. With `format`, the ' +
          'text must fit both.',
        examples: ['^[A-Z]{2}[0-9]{4}$'],
      }),
    },
  ),
  textarea: questionOf(
    'textarea',
    {
      title: 'TextareaQuestion',
      description: 'Text of any number of lines.',
      example: { id: 'comment', title: 'Anything else?', max_length: 500 },
    },
    lengths(LIMITS.textarea),
  ),
  rating: questionOf(
    'rating',
    {
      title: 'RatingQuestion',
      description: 'A number on a scale, also for NPS (`min` 0, `max` 10) and sliders.',
      example: { id: 'nps', title: 'Would you recommend us?', min: 0, max: 10 },
    },
    {
      min: decimal('The lowest value.', 1),
      max: decimal('The highest value. If it is missing and `min` is more than 5, it is `min`.', 5),
      step: number({
        exclusiveMinimum: 0,
        fault: mustBe('BAD_RANGE', 'a number greater than 0'),
        default: 1,
        description: 'Answers are `min`, `min + step`, and so on.',
      }),
      labels: union([map(label), list(label, {})], {
        fault: mustBe('WRONG_TYPE', 'an object of value to text, or a list of texts'),
        description:
          'Texts for values, `{"1": "Poor", "5": "Excellent"}`, or an array with the texts of the values from ' +
          '`min` on. For display only.',
      }),
      options: ratingOptions,
    },
  ),
  likert: questionOf(
    'likert',
    {
      title: 'LikertQuestion',
      description: 'A scale of options; with `rows`, the same scale for several statements.',
      example: { id: 'service', title: 'Do you agree?', options: ['no', 'yes'], rows: ['Service was fast'] },
    },
    {
      options: optionList('The scale. Required to publish.'),
      rows: optionList('The statements.'),
      required_rows: requiredRows,
    },
  ),
  matrix: questionOf(
    'matrix',
    {
      title: 'MatrixQuestion',
      description: 'Rows and columns; one column for each row, or several with `multiple`.',
      example: { id: 'days', title: 'When do you eat with us?', rows: ['Monday'], columns: ['lunch', 'dinner'] },
    },
    {
      rows: optionList('The rows. Required to publish.'),
      columns: optionList('The columns. Required to publish.'),
      multiple: flag('Whether a row can have several columns.'),
      required_rows: requiredRows,
    },
  ),
  date: questionOf(
    'date',
    {
      title: 'DateQuestion',
      description: 'A day of the Gregorian calendar.',
      example: { id: 'visit', title: 'When were you here?', min: '2026-01-01' },
    },
    {
      min: string({ fault: aString, format: 'date', description: 'First day allowed, as `YYYY-MM-DD`.' }),
      max: string({ fault: aString, format: 'date', description: 'Last day allowed, as `YYYY-MM-DD`.' }),
    },
  ),
  time: questionOf(
    'time',
    {
      title: 'TimeQuestion',
      description: 'A time of day without a time zone.',
      example: { id: 'arrival', title: 'At what time did you arrive?', min: '11:30', max: '14:00' },
    },
    {
      min: string({ fault: aString, description: 'Earliest time allowed, as `HH:MM` or `HH:MM:SS`.' }),
      max: string({ fault: aString, description: 'Latest time allowed, as `HH:MM` or `HH:MM:SS`.' }),
    },
  ),
  file_upload: questionOf(
    'file_upload',
    {
      title: 'FileUploadQuestion',
      description: 'Files of the respondent.',
      example: { id: 'receipt', title: 'Your receipt', accept: ['image/*', '.pdf'], max_files: 2 },
    },
    {
      max_files: integer(1, 'Maximum number of files.', LIMITS.files),
      max_bytes: integer(0, 'Size of one file. Default and maximum: 100 MiB.'),
      accept: union([string(), list(string(), {})], {
        fault: mustBe('WRONG_TYPE', 'a list of media types and file extensions'),
        description:
          'Media types and file extensions, one of which a file must have: `["image/*", ".pdf"]` or ' +
          '`"image/*,.pdf"`.',
      }),
    },
  ),
} as const;

export type QuestionTypeName = keyof typeof QUESTIONS;

/** A question of one type, as it is in a definition. */
export type QuestionOfType<Type extends QuestionTypeName> = ValueOf<(typeof QUESTIONS)[Type]>;

export const QUESTION_TYPE_NAMES: readonly string[] = Object.keys(QUESTIONS);

export function isQuestionType(value: unknown): value is QuestionTypeName {
  return typeof value === 'string' && Object.hasOwn(QUESTIONS, value);
}

export const question = variants(QUESTIONS, {
  title: 'SurveyQuestion',
  description: 'A question. Its `type` decides which other members it has. Members of other types have no effect.',
  fault: mustBe('WRONG_TYPE', 'an object', 'storing'),
});
