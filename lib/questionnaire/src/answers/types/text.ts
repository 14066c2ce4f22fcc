import { numberCell, textCell } from '../../columns/text-cell.ts';
import { LIMITS } from '../../limits.ts';
import { numericTextOperand, textOperand } from '../../logic/operand.ts';
import { textJson } from '../answer-json-schema.ts';
import { type AnswerContext, isRejection, type ReadAnswerRules, rejection } from '../answer-type.ts';
import { checkText, readTextLimits, SINGLE_LINE } from '../check-text.ts';
import { coerceText } from '../coerce.ts';
import { numberRule, presenceRule } from '../counting-rule.ts';
import { toAscii, toNumberText, trimAddress, trimLine } from '../normal-form.ts';
import type { PatternTest } from '../patterns/limit-patterns.ts';
import { toPortablePattern } from '../patterns/portable-pattern.ts';
import type { QuestionMembers } from '../question-members.ts';
import { TEXT_FORMAT_PATTERNS, TEXT_FORMATS, type TextFormat } from '../text-formats.ts';

/** One line of text, optionally with a format or a pattern. */
export const text: ReadAnswerRules<'text'> = (members) => {
  const limits = readTextLimits(members, LIMITS.text, 'one');
  const pattern = readPattern(members, limits.max);
  const format = members.get('format');
  const isNumeric = format === 'number' || format === 'integer';
  const normalForm = format === undefined ? trimLine : NORMAL_FORMS[format];
  const toOperand = isNumeric ? numericTextOperand : textOperand;
  return {
    check: (value, context) => {
      const normal = typeof value === 'string' ? normalForm(value, context) : value;
      const checked = checkText(normal, limits);
      if (isRejection(checked)) return checked;
      if (format !== undefined && !TEXT_FORMATS[format](checked.value)) {
        return rejection('BAD_FORMAT', `the text must be of the format ${format}`);
      }
      if (pattern !== undefined && !pattern(checked.value)) {
        return rejection('PATTERN_MISMATCH', 'the text does not match the pattern of the question');
      }
      return checked;
    },
    jsonSchema: () => {
      const portable = pattern && toPortablePattern(members.get('pattern') ?? '');
      const patterns = [SINGLE_LINE, format && TEXT_FORMAT_PATTERNS[format], portable];
      return textJson(
        limits.min,
        limits.max,
        patterns.filter((source) => source !== undefined),
      );
    },
    steps: pattern && ((length) => pattern.size * length),
    coerce: coerceText,
    operand: toOperand(members.compilePattern, limits.max),
    cells: isNumeric ? numberCell : textCell,
    countingRule: isNumeric ? numberRule : presenceRule,
  };
};

const NORMAL_FORMS: Readonly<Record<TextFormat, (text: string, context: AnswerContext) => string>> = {
  email: trimAddress,
  url: trimAddress,
  phone: toAscii,
  number: (text, { language }) => toNumberText(text, language),
  integer: (text, { language }) => toNumberText(text, language),
};

function readPattern(members: QuestionMembers<'text'>, maxLength: number): PatternTest | undefined {
  const pattern = members.get('pattern');
  if (pattern === undefined) return undefined;
  const compiled = members.compilePattern(pattern, maxLength);
  if (typeof compiled === 'function') return compiled;
  members.report('BAD_PATTERN', 'pattern', compiled.fault);
  return undefined;
}
