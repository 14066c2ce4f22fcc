import type { TextLimits } from './check-text.ts';
import type { QuestionMembers } from './question-members.ts';
import { checkOrder } from './range.ts';

/** Reads `min_length` and `max_length`, in code points. */
export const readTextLimits = (members: QuestionMembers, maxLength: number, lines: 'one' | 'many'): TextLimits => {
  const min = members.count('min_length') ?? 0;
  const max = members.count('max_length') ?? maxLength;
  checkOrder(members, ['min_length', min], ['max_length', max]);
  return { min, max, lines };
};
