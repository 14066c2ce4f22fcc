import { LIMITS } from '@survey/questionnaire/limits';

/** Evenly spaced numbers. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** The numbers of a scale; empty if the scale is invalid, or too long for the options of a question. */
export function numbersOf({ min, max, step }: Scale): readonly number[] {
  const length = Math.floor((max - min) / step) + 1;
  if (max <= min || step <= 0 || length > LIMITS.options) return [];
  return Array.from({ length }, (_, index) => min + index * step);
}
