import { describe, expect, it } from 'vitest';
import { surveyOf, surveyOfPages } from '../testing/survey-of.ts';
import { completeDefinition } from './complete-definition.ts';

function counter() {
  let last = 0;
  return () => `made-${++last}`;
}

describe('completeDefinition', () => {
  it('gives an id to questions without one and to those whose id is null', () => {
    const definition = surveyOfPages([[{ type: 'text' }, { id: 'mine', type: 'text' }], [{ id: null, type: 'text' }]]);
    expect(completeDefinition(definition, counter())).toEqual(
      surveyOfPages([
        [
          { id: 'made-1', type: 'text' },
          { id: 'mine', type: 'text' },
        ],
        [{ id: 'made-2', type: 'text' }],
      ]),
    );
  });

  it('keeps unknown members and plain-string options', () => {
    const definition = {
      ...surveyOf([{ id: 'q', type: 'single_choice', options: ['a'], x: { y: [1] } }]),
      extra: null,
    };
    expect(completeDefinition(definition, counter())).toEqual(definition);
  });

  it('does not change its input', () => {
    const definition = surveyOf([{ type: 'text' }]);
    const before = structuredClone(definition);
    completeDefinition(definition, counter());
    expect(definition).toEqual(before);
  });

  it('keeps a member called __proto__ as a member', () => {
    const definition = JSON.parse('{"survey":{"pages":[{"questions":[{"type":"text","__proto__":{"a":1}}]}]}}');
    const completed = JSON.stringify(completeDefinition(definition, counter()));
    expect(completed).toBe('{"survey":{"pages":[{"questions":[{"type":"text","__proto__":{"a":1},"id":"made-1"}]}]}}');
  });

  it.each([{}, { survey: null }, { survey: { pages: {} } }, { survey: { pages: [1, { questions: 'q' }] } }])(
    'gives back a definition without shape as it is: %j',
    (definition) => expect(completeDefinition(definition, counter())).toEqual(definition),
  );
});
