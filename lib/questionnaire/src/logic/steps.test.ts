import { describe, expect, it } from 'vitest';
import { checkShape } from '../check-shape.ts';
import { compile } from '../compile.ts';
import { rule, surveyOf, textQuestion } from '../testing/survey-of.ts';

const LONG = 200_000;
/** A survey of an earlier release, whose conditions can take more steps than a response may. */
const COSTLY = surveyOf(
  [
    { id: 'story', type: 'textarea', max_length: LONG, required: true },
    textQuestion('note', { max_length: LONG }),
    textQuestion('more'),
  ],
  {
    logic: [
      ...Array.from({ length: 100 }, (_, index) => rule('more', 'hide', 'story', 'contains', `word${index}`)),
      ...Array.from({ length: 30 }, (_, index) => rule('more', 'hide', 'note', 'not_contains', `word${index}`)),
    ],
  },
);

describe('a survey whose logic takes too many steps', () => {
  const { lint, validate, applyTo, hiddenBy } = compile(COSTLY);
  const words = 'Word99 ';

  it('has errors with the figure, and cannot be saved', () => {
    const detail =
      'logic and patterns can take 26,000,000 steps for one response; at most 12,000,000 are allowed. ' +
      'Lower max_length of story, or use fewer or shorter conditions';
    const [first] = lint.errors;
    expect(first).toMatchObject({ code: 'LIMIT_EXCEEDED', path: '/survey/logic/60/conditions/0', detail });
    expect(checkShape(COSTLY).map(({ path }) => path)).toEqual([
      '/survey/pages/0/questions/0/max_length',
      '/survey/pages/0/questions/1/max_length',
    ]);
  });

  it('takes answers that stay within the limit, and applies its logic to them', () => {
    expect(validate({ story: words.repeat(1_000), note: 'word1', more: 'x' })).toMatchObject({ errors: [], data: {} });
    expect(validate({ story: words }).data).toEqual({ story: 'Word99' });
    expect(hiddenBy({ story: words })).toEqual(['more']);
  });

  it('rejects the most costly answers without testing them', () => {
    const data = { story: words.repeat(15_000), note: words.repeat(15_000), more: 'x' };
    const detail =
      'logic and patterns take 10,500,000 steps for this text, and at most 12,000,000 are allowed; shorten it';
    expect(validate(data).errors).toEqual([{ code: 'TOO_COMPLEX', path: '/data/story', question_id: 'story', detail }]);
    expect(applyTo(data).visible).toEqual(['story', 'note']);
    expect(hiddenBy(data)).toEqual(['more']);
  });
});

it.each(['contains', 'not_contains'])('%s finds any part of a text, as `includes` does', (operator) => {
  const texts = ['', 'a', 'aab', 'aaab', 'abab', 'ababab', 'abaababaab', 'Größe', 'GRÖSSE', 'e\u0301a'];
  for (const part of texts.slice(1)) {
    const logic = [rule('t', 'show', 's', operator, part)];
    const { hiddenBy } = compile(surveyOf([textQuestion('s'), textQuestion('t')], { logic }));
    for (const text of texts.slice(1)) {
      const [one, other] = [text, part].map((given) => given.toUpperCase().normalize('NFC'));
      const isFound = (one ?? '').includes(other ?? '');
      expect(hiddenBy({ s: text }).length === 0, `${text} ${operator} ${part}`).toBe(
        isFound === (operator === 'contains'),
      );
    }
  }
});

it('marks on one letter are not sorted if there are more than any language has', () => {
  const marks = (count: number) => `a${'\u0301'.repeat(count)}${'\u0316'.repeat(count)}`;
  const { validate } = compile(surveyOf([{ id: 'q', type: 'textarea' }]));
  expect(validate({ q: marks(15) }).data).toEqual({ q: marks(15).normalize('NFC') });
  expect(validate({ q: marks(10_000) }).errors).toMatchObject([{ code: 'TOO_LONG' }]);
  expect(validate({ q: marks(9_000) }).data).toEqual({ q: marks(9_000) });
});
