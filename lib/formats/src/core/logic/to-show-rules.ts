import { convertJumps } from './convert-jumps.ts';
import { toFormula } from './jump-expression.ts';
import type { Jump, Step } from './jump-graph.ts';

export function toShowRules(steps: readonly Step[], jumps: readonly Jump[]) {
  const { logic, ...more } = convertJumps(
    steps,
    jumps.map((jump) => ({ ...jump, when: toFormula(jump.when) })),
  );
  return { rules: logic, ...more };
}
