import type { CompiledQuestion } from '../compiled-question.ts';
import type { Definition } from '../definition/definition.ts';
import type { ReportProblem } from '../lint/report.ts';
import { createDependencies, type Dependencies, findCycle, groupByDependency } from './dependencies.ts';
import { type Rule, resolveLogic } from './resolve-logic.ts';

/** The rules that show or hide one question, as indexes into the program's rules. */
interface QuestionLogic {
  readonly position: number;
  readonly show: readonly number[];
  readonly hide: readonly number[];
}

/** The logic of a survey in evaluation order. */
export interface LogicProgram {
  readonly rules: readonly Rule[];
  /** Each question with show or hide rules, after all questions that it depends on. */
  readonly visibility: readonly QuestionLogic[];
  /** The require rules by question position. */
  readonly require: ReadonlyMap<number, readonly number[]>;
  readonly disqualify: readonly number[];
}

/**
 * Resolves, sorts and lints the logic of a survey. Rules within a cycle have no effect, so the result does not depend
 * on the order of entries.
 */
export function compileLogic(
  definition: Definition,
  questions: readonly CompiledQuestion[],
  report: ReportProblem,
): LogicProgram {
  const resolved = resolveLogic(definition, questions, report);
  const dependencies = findDependencies(resolved, questions.length);
  const groups = groupByDependency(dependencies);
  const groupOf = new Map(groups.flatMap((group, index) => group.map((position) => [position, index] as const)));

  reportCycles(groups, dependencies, resolved, questions, report);
  const rules = resolved.filter((rule) => !isWithinCycle(rule, groupOf));
  const byTarget = (...actions: readonly Rule['action'][]) => indexByTarget(rules, actions);
  const show = byTarget('show');
  const hide = byTarget('hide', 'skip_to');
  const visibility = groups
    .flat()
    .filter((position) => show.has(position) || hide.has(position))
    .map((position) => ({ position, show: show.get(position) ?? [], hide: hide.get(position) ?? [] }));
  return {
    rules,
    visibility,
    require: byTarget('require'),
    disqualify: [...rules.keys()].filter((index) => rules[index]?.action === 'disqualify'),
  };
}

/** Whether a rule affects visibility. Only these rules can be part of a cycle. */
function decidesVisibility({ action }: Rule): boolean {
  return action !== 'require' && action !== 'disqualify';
}

function findDependencies(rules: readonly Rule[], count: number): Dependencies {
  const dependencies = createDependencies(count);
  for (const [index, rule] of rules.entries()) {
    if (!decidesVisibility(rule)) continue;
    for (const source of new Set(rule.conditions.map(({ sourcePosition }) => sourcePosition))) {
      dependencies.add(source, rule.targets, index);
    }
  }
  return dependencies;
}

function isWithinCycle(rule: Rule, groupOf: ReadonlyMap<number, number>): boolean {
  if (!decidesVisibility(rule)) return false;
  const sources = new Set(rule.conditions.map(({ sourcePosition }) => groupOf.get(sourcePosition)));
  return rule.targets.some((target) => sources.has(groupOf.get(target)));
}

function indexByTarget(rules: readonly Rule[], actions: readonly Rule['action'][]) {
  const byTarget = new Map<number, number[]>();
  rules.forEach(({ action, targets }, index) => {
    if (!actions.includes(action)) return;
    for (const target of targets) {
      const indexes = byTarget.get(target);
      if (indexes === undefined) byTarget.set(target, [index]);
      else indexes.push(index);
    }
  });
  return byTarget;
}

function reportCycles(
  groups: readonly (readonly number[])[],
  dependencies: Dependencies,
  rules: readonly Rule[],
  questions: readonly CompiledQuestion[],
  report: ReportProblem,
): void {
  for (const group of groups) {
    const [first] = group;
    if (first === undefined || (group.length === 1 && dependencies.ruleOf(first, first) === undefined)) continue;
    const cycle = findCycle(first, dependencies);
    const [from, to] = cycle;
    const rule = from === undefined || to === undefined ? undefined : rules[dependencies.ruleOf(from, to) ?? -1];
    const names = cycle.map((position) => questions[position]?.id).join(' → ');
    report(
      'LOGIC_CYCLE',
      rule?.path ?? '/survey/logic',
      `the visibility of these questions is a cycle: ${names}`,
      questions[first]?.id,
    );
  }
}
