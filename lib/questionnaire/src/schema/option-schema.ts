import { LIMITS } from '../limits.ts';
import { boolean, fault, list, mustBe, number, object, string, union } from './schema.ts';
import { freeMembers, translatable } from './texts.ts';

const text = translatable('If missing, the id is shown.');

export const badOption = fault(
  'BAD_OPTION',
  'must be a string, or an object with an id or a text; exclusive and inactive must be true or false',
);

/** An option, row or column. */
export const option = union(
  [
    string(),
    object({
      title: 'QuestionOption',
      noun: 'an option',
      description: 'An option, row or column of a question.',
      examples: [{ id: 'soup', text: 'Soup' }],
      members: {
        id: string({
          description:
            'Unique in the list. Without an id, the text becomes the id; of a text with translations, the first one in ' +
            'the object.',
        }),
        text,
        exclusive: boolean({
          default: false,
          description: 'Multiple choice only: this option cannot be chosen together with others.',
        }),
        inactive: boolean({
          default: false,
          description:
            'No longer offered: respondents cannot choose it. Imports and corrections of responses can still use it. ' +
            'Summaries and exports still show it.',
        }),
        ...freeMembers,
      },
    }),
  ],
  { fault: badOption },
);

export function optionList(description: string) {
  return list(option, { maxItems: LIMITS.options, fault: mustBe('WRONG_TYPE', 'an array'), description });
}

const ratingOption = object({
  title: 'RatingOption',
  noun: 'an option',
  description: 'A value of a scale. Its id, else its text, is a number.',
  members: { id: union([string(), number()], { description: 'The number.' }), text, ...freeMembers },
  ignored: ['exclusive', 'inactive'],
});

/** Another way to write the scale of a rating. */
export const ratingOptions = union(
  [string(), list(union([string(), number(), ratingOption], {}), { maxItems: LIMITS.options })],
  {
    fault: fault('BAD_RANGE', 'the options of a rating must be a range such as "1-5", or numbers'),
    description:
      'Another way to write the scale: `"1-5"`, `["1-5"]`, or an array of numbers, which means the range from the ' +
      'smallest to the largest. Ignored if `min` and `max` are given.',
  },
);
