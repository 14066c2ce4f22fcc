import { expect, it } from 'vitest';
import { choiceLimitDescription, MAX_CHOICES } from './fields.tsx';
import { formatNumber } from './format.tsx';

it('mentions missing choices only if some may be missing', () => {
  expect(choiceLimitDescription(MAX_CHOICES - 1)).toEqual({});
  expect(choiceLimitDescription(MAX_CHOICES)).toEqual({ description: `The newest ${formatNumber(1_000)}.` });
});
