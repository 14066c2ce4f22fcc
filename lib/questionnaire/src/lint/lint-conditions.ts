import { isBrowserPattern } from '../answers/patterns/browser-pattern.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { isAbsent, isArray } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { isFault } from '../logic/operand.ts';
import type { Rule } from '../logic/resolve-logic.ts';
import type { ReportProblem } from './report.ts';

/**
 * Warns of conditions with patterns that browsers cannot test: a browser would show other questions than the server.
 */
export function lintPatterns(rules: readonly Rule[], report: ReportProblem): void {
  const tested = new Map<string, boolean>();
  for (const { operator, value, path } of rules.flatMap(({ conditions }) => conditions)) {
    if (operator !== 'matches' || typeof value !== 'string') continue;
    const isTestable = tested.get(value) ?? isBrowserPattern(value);
    tested.set(value, isTestable);
    if (isTestable) continue;
    report('BROWSER_PATTERN', `${path}/value`, 'browsers cannot test this pattern, and take the condition as true');
  }
}

/** Warns of values that a condition takes, but that probably do not mean what the author expects. */
export function lintValues(
  rules: readonly Rule[],
  questions: readonly CompiledQuestion[],
  report: ReportProblem,
): void {
  for (const { operator, value, path, sourcePosition } of rules.flatMap(({ conditions }) => conditions)) {
    const question = questions[sourcePosition];
    if (question === undefined || isAbsent(value)) continue;
    const warn = (code: 'UNUSUAL_VALUE' | 'VALUE_OUT_OF_RANGE', detail: string) =>
      report(code, `${path}/value`, detail, question.id);
    if (operator === 'is_answered' || operator === 'is_not_answered') {
      warn('UNUSUAL_VALUE', `${operator} takes no value`);
      continue;
    }
    if ((operator === 'in' || operator === 'not_in') && !isArray(value)) {
      warn(
        'UNUSUAL_VALUE',
        `${operator} takes an array of values; for a single one, use ${operator === 'in' ? '' : 'not_'}equals`,
      );
    }
    const { jsonType, literal, isOutOfRange } = question.rules.operand;
    const values = isArray(value) ? value : [value];
    if (jsonType !== undefined && values.some((one) => typeof one !== jsonType)) {
      warn('UNUSUAL_VALUE', `answers to ${question.id} are of the JSON type ${jsonType}, and the value is not`);
    }
    const exact = operator === 'equals' || operator === 'not_equals' || operator === 'in' || operator === 'not_in';
    const isOutside = (one: unknown): boolean => {
      const parsed = literal?.(one);
      return parsed !== undefined && !isFault(parsed) && isOutOfRange?.(parsed, exact) === true;
    };
    if (values.some(isOutside)) warn('VALUE_OUT_OF_RANGE', `no answer to ${question.id} can have this value`);
  }
}

/**
 * Reports the patterns and conditions that take too many steps for one response, together with those before them. The
 * validation would reject long answers, although the questions allow them.
 */
export function lintSteps(rules: readonly Rule[], questions: readonly CompiledQuestion[], report: ReportProblem): void {
  const parts = [
    ...questions.map((question) => ({
      question,
      path: `${question.path}/pattern`,
      steps: question.rules.steps?.(question.rules.operand.maxSize) ?? 0,
    })),
    ...rules
      .flatMap(({ conditions }) => conditions)
      .flatMap(({ sourcePosition, path, steps }) => {
        const question = questions[sourcePosition];
        return question === undefined ? [] : [{ question, path, steps: steps(question.rules.operand.maxSize) }];
      }),
  ];
  const all = parts.reduce((sum, { steps }) => sum + steps, 0);
  if (all <= LIMITS.steps) return;
  const [figure, limit] = [all, LIMITS.steps].map((count) => count.toLocaleString('en'));
  let total = 0;
  for (const { question, path, steps } of parts) {
    if (total + steps <= LIMITS.steps) {
      total += steps;
      continue;
    }
    const detail =
      `logic and patterns can take ${figure} steps for one response; at most ${limit} are allowed. ` +
      `Lower max_length of ${question.id}, or use fewer or shorter conditions`;
    report('LIMIT_EXCEEDED', path, detail, question.id);
  }
}
