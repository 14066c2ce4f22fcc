import { expect, it } from 'vitest';
import { conditionsOn } from './answer-conditions.ts';

const on = (operator: string, value: unknown) => ({ source_question: 'q', operator, value });

it.each([
  ['single_choice', { is: 'tea' }, [on('equals', 'tea')]],
  ['multiple_choice', { is: 'tea' }, [on('contains', 'tea')]],
  ['rating', { is: 5 }, [on('equals', 5)]],
  ['rating', { from: 0, before: 2.5 }, [on('greater_or_equal', 0), on('less_than', 2.5)]],
  ['rating', { from: 2.5, to: 5 }, [on('greater_or_equal', 2.5), on('less_or_equal', 5)]],
  ['time', { from: '23:00' }, [on('greater_or_equal', '23:00')]],
])('selects the answers of a bar of a %s: %j', (type, answers, conditions) => {
  expect(conditionsOn({ question_id: 'q', type }, answers)).toEqual(conditions);
});
