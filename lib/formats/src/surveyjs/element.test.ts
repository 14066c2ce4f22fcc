import { LIMITS } from '@survey/questionnaire/limits';
import { expect, it } from 'vitest';
import { numbersOf } from './element.ts';

it.each([
  [{ min: 1, max: 5, step: 1 }, [1, 2, 3, 4, 5]],
  [{ min: 0, max: 10, step: 4 }, [0, 4, 8]],
  [{ min: 5, max: 1, step: 1 }, []],
  [{ min: 1, max: 5, step: 0 }, []],
])('the numbers of the scale %j', (scale, numbers) => {
  expect(numbersOf(scale)).toEqual(numbers);
});

it('a scale has at most as many numbers as a question options', () => {
  expect(numbersOf({ min: 1, max: LIMITS.options, step: 1 })).toHaveLength(LIMITS.options);
  expect(numbersOf({ min: 0, max: LIMITS.options, step: 1 })).toEqual([]);
});
