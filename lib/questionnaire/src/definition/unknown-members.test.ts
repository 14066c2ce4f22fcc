import { describe, expect, it } from 'vitest';
import { checkShape } from '../check-shape.ts';
import { surveyOf, textQuestion, yesNo } from '../testing/survey-of.ts';
import { moveUnknownMembers } from './unknown-members.ts';

function same(value: unknown) {
  return value;
}

describe('moveUnknownMembers', () => {
  it('moves each to the metadata of its part', () => {
    const definition = surveyOf(
      [yesNo('q', { requierd: true, options: [{ id: 'a', value: 1 }, 'b'], metadata: { crm: 7 } })],
      {
        theme: { color: '#fff' },
        welcome_screen: { title: 'Hi', image: 'a.png' },
        logic: [{ question_id: 'q', note: 'n', conditions: [{ source_question: 'q', operator: 'is_answered', x: 1 }] }],
      },
    );
    const moved = moveUnknownMembers(definition, same);
    expect(moved).toEqual(
      surveyOf(
        [
          yesNo('q', {
            options: [{ id: 'a', metadata: { value: 1 } }, 'b'],
            metadata: { crm: 7, requierd: true },
          }),
        ],
        {
          welcome_screen: { title: 'Hi', metadata: { image: 'a.png' } },
          logic: [
            {
              question_id: 'q',
              conditions: [{ source_question: 'q', operator: 'is_answered', metadata: { x: 1 } }],
              metadata: { note: 'n' },
            },
          ],
          metadata: { theme: { color: '#fff' } },
        },
      ),
    );
    expect(checkShape(moved)).toEqual([]);
    expect(moveUnknownMembers(moved, same)).toEqual(moved);
  });

  it.each([
    ['a member of the same name', { theme: 1 }, { theme: 2, metadata: { theme: 1 } }],
    ['metadata that is no object', 'x', { theme: 2, metadata: 'x' }],
  ])('loses nothing of %s', (_, metadata, expected) => {
    const moved = moveUnknownMembers(surveyOf([], { theme: 2, metadata }), same);
    expect(moved).toEqual(surveyOf([], { metadata: expected }));
  });

  it('keeps a member called __proto__ as a member', () => {
    const definition = JSON.parse('{"survey":{"__proto__":{"a":1}}}');
    expect(JSON.stringify(moveUnknownMembers(definition, same))).toBe('{"survey":{"metadata":{"__proto__":{"a":1}}}}');
  });

  it.each([{}, { survey: 1 }, { survey: { pages: 'p' } }, { survey: { pages: [1, { questions: 'q' }] } }])(
    'leaves %j as it is',
    (definition) => expect(moveUnknownMembers(definition, same)).toEqual(definition),
  );

  it('does not change a definition without unknown members', () => {
    const definition = surveyOf([textQuestion('q', { required: null })], { source_data: 1, metadata: null });
    expect(moveUnknownMembers(definition, same)).toEqual(definition);
  });
});
