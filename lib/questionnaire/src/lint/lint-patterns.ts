import { isBrowserPattern } from '../answers/browser-pattern.ts';
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
