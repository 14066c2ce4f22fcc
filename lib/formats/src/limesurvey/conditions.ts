import type { LssRow } from './lss.ts';
import type { Variables } from './variables.ts';

/**
 * Converts the conditions of older surveys to an expression. In a scenario, conditions on the same question are
 * alternatives; conditions on different questions must all hold. Scenarios are alternatives.
 */
export function toExpression(conditions: readonly LssRow[], variables: Variables): string {
  const scenarios = [...Map.groupBy(conditions, (row) => row.get('scenario')).values()].map((inScenario) =>
    [...Map.groupBy(inScenario, (row) => row.get('cfieldname')).values()]
      .map((onQuestion) => `(${onQuestion.map((row) => toComparison(row, variables)).join(' or ')})`)
      .join(' and '),
  );
  return scenarios.map((scenario) => `(${scenario})`).join(' or ');
}

function toComparison(row: LssRow, variables: Variables): string {
  const method = row.get('method').trim() || '==';
  const field = row.get('cfieldname').replace(/^\+/, '');
  const written = row.get('value');
  // An empty value means "no answer".
  if (written.trim() === '' && method === '==') return `is_empty(${field}.NAOK)`;
  if (written.trim() === '' && method === '!=') return `!is_empty(${field}.NAOK)`;
  if (isChoiceOf(field, written, variables)) return `${field}${written}.NAOK ${method} "Y"`;
  const value = written.replaceAll(/["\\]/g, '\\$&');
  // A value such as @1X2X3@ refers to another answer. `toFormula` rejects comparisons of two answers.
  return /^@.*@$/.test(value)
    ? `${field}.NAOK ${method} ${value.slice(1, -1)}.NAOK`
    : `${field}.NAOK ${method} "${value}"`;
}

/** Whether the condition tests one option of a multiple choice. */
function isChoiceOf(field: string, value: string, { codeOf, find }: Variables): boolean {
  const code = /^\w+$/.test(value) ? codeOf(`${field}${value}`) : undefined;
  return code !== undefined && find(code)?.option !== undefined && codeOf(field) !== undefined;
}
