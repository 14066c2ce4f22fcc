import { type Rejection, rejection } from './answer-type.ts';
import { codePointLength, toNfc } from './plain-text.ts';
import type { QuestionMembers } from './question-members.ts';
import { checkOrder } from './range.ts';

export interface TextLimits {
  /** Minimum and maximum length in code points. */
  readonly min: number;
  readonly max: number;
  readonly lines: 'one' | 'many';
}

/** Line breaks of Unicode: also VT, FF, NEL, and the line and paragraph separators (UAX #14). */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;

/** A pattern of texts without line breaks. */
export const SINGLE_LINE = `^[^${LINE_BREAK.source.slice(1)}*$`;

/** Reads `min_length` and `max_length`, in code points. */
export function readTextLimits(
  members: QuestionMembers<'text' | 'textarea'>,
  maxLength: number,
  lines: 'one' | 'many',
): TextLimits {
  const min = members.get('min_length') ?? 0;
  const max = members.get('max_length') ?? maxLength;
  checkOrder(members, ['min_length', min], ['max_length', max]);
  return { min, max, lines };
}

/** Checks the length and lines of a text, and returns it in NFC. */
export function checkText(value: unknown, { min, max, lines }: TextLimits): { readonly value: string } | Rejection {
  if (typeof value !== 'string') return rejection('WRONG_TYPE', 'the answer must be a string');
  if (!value.isWellFormed())
    return rejection('BAD_FORMAT', 'the text has half of a surrogate pair; send valid Unicode');
  if (lines === 'one' && LINE_BREAK.test(value)) return rejection('BAD_FORMAT', 'the text must be a single line');
  const text = toNfc(value);
  // Counting code points is slow. A text never has more of them than of UTF-16 code units, so short ones pass here.
  if (min === 0 && text.length <= max) return { value: text };
  const length = codePointLength(text);
  if (length < min) return rejection('TOO_SHORT', `the text must have at least ${min} characters`);
  if (length > max) return rejection('TOO_LONG', `the text must have at most ${max} characters`);
  return { value: text };
}
