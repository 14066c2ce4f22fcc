import type { CompiledQuestion } from '../compiled-question.ts';
import type { Definition } from '../definition/definition.ts';
import type { Report } from '../lint/report.ts';
import { type Dependents, findCycle, groupByDependency } from './dependencies.ts';
import { type Rule, resolveLogic } from './resolve-logic.ts';

/** The rules that decide about one question, by index into the program's rules. */
export interface QuestionLogic {
  readonly position: number;
  readonly show: readonly number[];
  readonly hide: readonly number[];
}

/** The logic of a survey in the order in which it is to be evaluated. */
export interface LogicProgram {
  readonly rules: readonly Rule[];
  /** Each question whose visibility depends on something, after all that it depends on. */
  readonly visibility: readonly QuestionLogic[];
  /** For each position the rules that require it, if any. */
  readonly require: ReadonlyMap<number, readonly number[]>;
  readonly disqualify: readonly number[];
}

/**
 * Finds, orders and reports on the logic of a survey. Rules within a cycle have no effect, so that what is left
 * has an order whose result does not depend on the order of entries.
 */
export const compileLogic = (
  definition: Definition,
  questions: readonly CompiledQuestion[],
  report: Report,
): LogicProgram => {
  const resolved = resolveLogic(definition, questions, report);
  const dependents = dependentsOf(resolved, questions.length);
  const groups = groupByDependency(dependents);
  const groupOf = new Map(groups.flatMap((group, index) => group.map((position) => [position, index] as const)));

  reportCycles(groups, dependents, resolved, questions, report);
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
};

/** Whether a rule has a say in what is visible; a question that is only required can close no cycle. */
const decidesVisibility = ({ action }: Rule): boolean => action !== 'require' && action !== 'disqualify';

const dependentsOf = (rules: readonly Rule[], count: number): Dependents => {
  const dependents = Array.from({ length: count }, () => new Set<number>());
  for (const rule of rules.filter(decidesVisibility)) {
    for (const { sourcePosition } of rule.conditions) {
      for (const target of rule.targets) dependents[sourcePosition]?.add(target);
    }
  }
  return dependents;
};

const isWithinCycle = (rule: Rule, groupOf: ReadonlyMap<number, number>): boolean => {
  if (!decidesVisibility(rule)) return false;
  const sources = new Set(rule.conditions.map(({ sourcePosition }) => groupOf.get(sourcePosition)));
  return rule.targets.some((target) => sources.has(groupOf.get(target)));
};

const indexByTarget = (rules: readonly Rule[], actions: readonly Rule['action'][]) => {
  const byTarget = new Map<number, number[]>();
  rules.forEach(({ action, targets }, index) => {
    if (!actions.includes(action)) return;
    for (const target of targets) {
      const known = byTarget.get(target);
      if (known === undefined) byTarget.set(target, [index]);
      else known.push(index);
    }
  });
  return byTarget;
};

const reportCycles = (
  groups: readonly (readonly number[])[],
  dependents: Dependents,
  rules: readonly Rule[],
  questions: readonly CompiledQuestion[],
  report: Report,
): void => {
  for (const group of groups) {
    const [first] = group;
    if (first === undefined || (group.length === 1 && !dependents[first]?.has(first))) continue;
    const cycle = findCycle(first, dependents);
    const [from, to] = cycle;
    const rule = rules
      .filter(decidesVisibility)
      .find(
        ({ conditions, targets }) =>
          targets.some((target) => target === to) && conditions.some(({ sourcePosition }) => sourcePosition === from),
      );
    const names = cycle.map((position) => questions[position]?.id).join(' → ');
    report(
      'LOGIC_CYCLE',
      rule?.path ?? '/survey/logic',
      `visibility goes round in a circle: ${names}`,
      questions[first]?.id,
    );
  }
};
