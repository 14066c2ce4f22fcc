import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { ALWAYS, NEVER } from './decision-diagrams.ts';
import type { Jump, Step } from './jump-graph.ts';
import { createPaths, type Paths } from './paths.ts';
import { type Rule, ruleFor } from './rule.ts';

/** A step that some paths skip, but whose questions get no rule. */
interface Unproven {
  readonly step: string;
  readonly reason: string;
}

interface ShowRules {
  /** Logic entries that show each question exactly when the jumps lead to it. */
  readonly rules: readonly JsonObject[];
  /** Steps whose questions are always shown. */
  readonly unproven: readonly Unproven[];
  /** Steps with texts only, which some paths skip. They have no rules, and are always shown. */
  readonly conditionalTexts: readonly string[];
}

const TOO_MANY_CONDITIONS = `the survey would have more than ${LIMITS.conditions} conditions`;
const NEVER_SHOWN: Rule = { action: 'show', alternatives: [] };

/**
 * Converts jumps to rules that show or hide questions (ADR 0042). A step gets rules only if they are proven equivalent
 * to the jumps. The answers that lead to a step are computed forward, over all paths at once. A step gets no rule if a
 * jump leads back to it or before it, if a condition on a path is not about answers, or if too many paths lead to it.
 */
export function toShowRules(steps: readonly Step[], jumps: readonly Jump[]): ShowRules {
  const paths = createPaths(steps, jumps);
  const rules: JsonObject[] = [];
  const unproven: Unproven[] = [];
  const conditionalTexts: string[] = [];
  const unprovenIds = new Set<string>();
  const before: string[] = [];
  let conditions = 0;

  for (const [position, { key, questions }] of steps.entries()) {
    const ids = questions.map(({ id }) => String(id));
    const found = ruleAt(paths, position, unprovenIds, before.at(-1));
    if (found !== 'always' && ids.length === 0) conditionalTexts.push(key);
    if (found !== 'always' && ids.length > 0) {
      const count = typeof found === 'string' ? 0 : found.alternatives.flat().length * ids.length;
      const rule = conditions + count > LIMITS.conditions ? TOO_MANY_CONDITIONS : found;
      if (typeof rule === 'string') {
        unproven.push({ step: key, reason: rule });
        for (const id of ids) unprovenIds.add(id);
      } else {
        conditions += count;
        rules.push(...ids.flatMap((id) => toEntries(id, rule)));
      }
    }
    before.push(...ids);
  }
  return { rules, unproven, conditionalTexts };
}

/** @param previous id of the previous question, if there is one */
function ruleAt(
  paths: Paths,
  position: number,
  unprovenIds: ReadonlySet<string>,
  previous: string | undefined,
): Rule | 'always' | string {
  const reached = paths.answersLeadingTo(position);
  if (typeof reached === 'string') return reached;
  if (reached === ALWAYS) return 'always';
  const rule = reached === NEVER ? NEVER_SHOWN : ruleFor(paths, reached, unprovenIds);
  if (typeof rule === 'string' || rule.alternatives.length > 0) return isAlways(rule) ? 'always' : rule;
  if (rule.action === 'hide') return 'always';
  if (previous === undefined) return 'no path leads to it, and there is no question before it';
  // Without an entry, the question would be shown. Two contradictory conditions hide it.
  const never: Rule['alternatives'] = [
    [
      { source: previous, operator: 'is_answered' },
      { source: previous, operator: 'is_not_answered' },
    ],
  ];
  return { action: 'show', alternatives: never };
}

function isAlways(rule: Rule | string): boolean {
  return typeof rule === 'object' && rule.action === 'show' && rule.alternatives.some(({ length }) => length === 0);
}

/** The logic entries of one question. Alternatives with a single condition share one entry with `match: any`. */
function toEntries(id: string, { action, alternatives }: Rule): readonly JsonObject[] {
  const toEntry = (conditions: Rule['alternatives'][number], match: JsonObject): JsonObject => ({
    question_id: id,
    ...match,
    conditions: conditions.map(({ source, operator, value }) => ({
      source_question: source,
      operator,
      ...(value === undefined ? {} : { value }),
      action,
    })),
  });
  const single = alternatives.filter((conditions) => conditions.length === 1);
  const several = alternatives.filter((conditions) => conditions.length > 1);
  const any = single.length > 1 ? [toEntry(single.flat(), { match: 'any' })] : single.map((one) => toEntry(one, {}));
  return [...any, ...several.map((conditions) => toEntry(conditions, {}))];
}
