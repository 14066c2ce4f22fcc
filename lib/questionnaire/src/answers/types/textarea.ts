import { textCell } from '../../columns/text-cell.ts';
import { LIMITS } from '../../limits.ts';
import { textOperand } from '../../logic/operand.ts';
import { textJson } from '../answer-json-schema.ts';
import type { ReadAnswerRules } from '../answer-type.ts';
import { checkText, readTextLimits } from '../check-text.ts';
import { coerceText } from '../coerce.ts';
import { presenceRule } from '../counting-rule.ts';

/** A text of any number of lines. */
export const textarea: ReadAnswerRules<'textarea'> = (members) => {
  const limits = readTextLimits(members, LIMITS.textarea, 'many');
  return {
    check: (value) => checkText(typeof value === 'string' ? value.trim() : value, limits),
    jsonSchema: () => textJson(limits.min, limits.max, []),
    coerce: coerceText,
    operand: textOperand(members.compilePattern, limits.max),
    cells: textCell,
    countingRule: presenceRule,
  };
};
