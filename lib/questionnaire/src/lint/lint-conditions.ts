import { isBrowserPattern } from '../answers/browser-pattern.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { LIMITS } from '../limits.ts';
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
