import type { CellFormat } from '../../columns/cell-format.ts';
import type { JsonObject } from '../../json.ts';
import { momentOperand } from '../../logic/operand.ts';
import { type ReadAnswerRules, rejection } from '../answer-type.ts';
import { coerceNothing } from '../coerce.ts';
import type { CountingRule } from '../counting-rule.ts';
import { toAscii } from '../normal-form.ts';
import type { QuestionMembers } from '../question-members.ts';
import { checkOrder } from '../range.ts';

/** A date or time format. */
interface MomentKind {
  /** For error details: `a date as YYYY-MM-DD`. */
  readonly expected: string;
  /** JSON Schema of the format, without `min` and `max`, which JSON Schema cannot express. */
  readonly jsonSchema: JsonObject;
  /** Returns the text in a form that sorts by time, or undefined if the text is invalid. */
  toMoment(text: string): string | undefined;
  readonly cells: CellFormat;
  readonly countingRule: CountingRule;
}

/** Creates a question type for dates or times with the inclusive limits `min` and `max`. */
export function momentType(kind: MomentKind): ReadAnswerRules<'date' | 'time'> {
  return (members) => {
    const min = readLimit(members, 'min', kind);
    const max = readLimit(members, 'max', kind);
    checkOrder(members, ['min', min], ['max', max]);
    return {
      check: (given) => {
        if (typeof given !== 'string') return rejection('WRONG_TYPE', `the answer must be ${kind.expected}`);
        const value = toAscii(given);
        const moment = kind.toMoment(value);
        if (moment === undefined) return rejection('BAD_FORMAT', `the answer must be ${kind.expected}`);
        if (min !== undefined && moment < min) return rejection('OUT_OF_RANGE', `the answer must not be before ${min}`);
        if (max !== undefined && moment > max) return rejection('OUT_OF_RANGE', `the answer must not be after ${max}`);
        return { value };
      },
      jsonSchema: () => kind.jsonSchema,
      coerce: coerceNothing,
      operand: momentOperand(kind.expected, kind.toMoment, [min, max]),
      cells: kind.cells,
      countingRule: kind.countingRule,
    };
  };
}

function readLimit(
  members: QuestionMembers<'date' | 'time'>,
  name: 'min' | 'max',
  kind: MomentKind,
): string | undefined {
  const given = members.get(name);
  if (given === undefined) return undefined;
  const moment = kind.toMoment(given);
  if (moment === undefined) members.report('BAD_RANGE', name, `${name} must be ${kind.expected}`);
  return moment;
}
