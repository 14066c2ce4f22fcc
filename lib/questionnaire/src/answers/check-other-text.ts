import { LIMITS } from '../limits.ts';
import { type Rejection, rejection } from './answer-type.ts';
import { isUnanswered } from './answer-value.ts';
import { checkText } from './check-text.ts';
import { trimOwnText } from './normal-form.ts';

/** Checks the respondent's own text of the option `other`. */
export function checkOtherText(value: unknown): { readonly value: string } | Rejection {
  return isUnanswered(value)
    ? rejection('OTHER_TEXT_REQUIRED', 'the option other needs a text')
    : checkText(typeof value === 'string' ? trimOwnText(value) : value, {
        min: 0,
        max: LIMITS.otherText,
        lines: 'many',
      });
}
