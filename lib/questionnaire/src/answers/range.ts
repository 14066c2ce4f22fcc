import type { QuestionReport } from './question-members.ts';

/** Reports a minimum above its maximum. */
export function checkOrder<Limit extends number | string>(
  { report }: QuestionReport,
  [lowName, low]: readonly [string, Limit | undefined],
  [highName, high]: readonly [string, Limit | undefined],
): void {
  if (low !== undefined && high !== undefined && low > high) {
    report('BAD_RANGE', lowName, `${lowName} is greater than ${highName}`);
  }
}
