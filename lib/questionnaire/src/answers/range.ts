import type { QuestionMembers } from './question-members.ts';

/** Reports a minimum above its maximum. */
export const checkOrder = <Limit extends number | string>(
  members: QuestionMembers,
  [lowName, low]: readonly [string, Limit | undefined],
  [highName, high]: readonly [string, Limit | undefined],
): void => {
  if (low !== undefined && high !== undefined && low > high) {
    members.report('BAD_RANGE', lowName, `${lowName} is greater than ${highName}`);
  }
};
