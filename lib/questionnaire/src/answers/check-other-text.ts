import { LIMITS } from '../limits.ts';
import { type Refusal, refuse } from './answer-type.ts';
import { isUnanswered } from './answer-value.ts';
import { checkText } from './check-text.ts';

/** Takes the text that says what "other" is. */
export const checkOtherText = (value: unknown): { readonly value: string } | Refusal =>
  isUnanswered(value)
    ? refuse('OTHER_TEXT_REQUIRED', 'other needs a text')
    : checkText(value, { min: 0, max: LIMITS.otherText, lines: 'many' });
