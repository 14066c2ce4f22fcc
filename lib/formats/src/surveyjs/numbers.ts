import { LIMITS } from '@survey/questionnaire/limits';

/** Evenly spaced numbers. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** The numbers of a scale; empty if there are fewer than two, or more than a question can have options. */
export function numbersOf({ min, max, step }: Scale): readonly number[] {
  if (max <= min || step <= 0 || (max - min) / step > LIMITS.options) return [];
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step);
}
