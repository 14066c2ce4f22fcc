import type { AnswerValue } from '../answers/answer-value.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import type { Definition, Question } from '../definition/definition.ts';
import { questionsBySection } from '../definition/sections.ts';
import { itemsOf } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { ReportProblem } from '../lint/report.ts';
import { type Action, type NormalCondition, type NormalEntry, normaliseLogic } from './normalise-logic.ts';
import { type AnswerForms, isFault } from './operand.ts';
import { buildTest, OPERATORS } from './operators.ts';

/** Normalised answers by question position; undefined for unanswered questions. */
type AnswersByPosition = readonly (AnswerValue | undefined)[];

export interface Condition extends NormalCondition {
  readonly sourcePosition: number;
  /** The most steps that the condition takes for an answer of this size, in characters or chosen options. */
  steps(size: number): number;
  holds(evaluation: Evaluation): boolean;
}

/** One application of the logic to the answers of a response. */
export interface Evaluation {
  readonly answers: AnswersByPosition;
  /** By question position. */
  readonly forms: (AnswerForms | undefined)[];
}

/** A logic entry with its questions resolved. */
export interface Rule {
  readonly path: string;
  readonly action: Action;
  readonly match: 'all' | 'any';
  readonly conditions: readonly Condition[];
  /** Positions of the affected questions; empty for disqualify. */
  readonly targets: readonly number[];
}

interface Lookup {
  readonly questions: readonly CompiledQuestion[];
  readonly byId: ReadonlyMap<string, Question>;
  readonly sections: ReadonlyMap<string, readonly Question[]>;
  readonly report: ReportProblem;
}

/** Resolves the questions in logic entries. Entries with unknown questions are reported and omitted. */
export function resolveLogic(
  definition: Definition,
  questions: readonly CompiledQuestion[],
  report: ReportProblem,
): readonly Rule[] {
  const lookup: Lookup = { questions, byId: definition.byId, sections: questionsBySection(definition), report };
  const rules: Rule[] = [];
  let affected = 0;
  for (const entry of normaliseLogic(definition.logic, report)) {
    const rule = resolveEntry(entry, lookup);
    if (rule === undefined) continue;
    affected += rule.targets.length;
    if (affected > LIMITS.affectedQuestions) {
      report('LIMIT_EXCEEDED', rule.path, `logic affects more than ${LIMITS.affectedQuestions} questions in all`);
      break;
    }
    rules.push(rule);
  }
  return rules;
}

function resolveEntry(entry: NormalEntry, lookup: Lookup): Rule | undefined {
  const resolved = entry.conditions.map((condition) => resolveCondition(condition, lookup));
  const conditions = resolved.filter((condition) => condition !== undefined);
  const targets = findTargets(entry, lookup);
  if (targets === undefined || conditions.length < resolved.length) return undefined;
  reportForwardReferences(conditions, targets, lookup);
  const { path, action, match } = entry;
  return { path, action, match, conditions, targets: targets.map((target) => target.position) };
}

function resolveCondition(condition: NormalCondition, { questions, byId, report }: Lookup): Condition | undefined {
  const question = byId.get(condition.source);
  const source = question && questions[question.position];
  if (source === undefined) {
    report('UNKNOWN_SOURCE', condition.path, `the survey has no question ${condition.source}`);
    return undefined;
  }
  const { operator, value } = condition;
  const test = buildTest(operator, typeNameOf(source), source.rules.operand, value);
  if (isFault(test)) {
    const member = test.code === 'BAD_OPERATOR' ? 'operator' : 'value';
    report(test.code, `${condition.path}/${member}`, test.detail, source.id);
    return undefined;
  }
  const { whenUnanswered } = OPERATORS[operator];
  const sourcePosition = source.position;
  const holds = ({ answers, forms }: Evaluation): boolean => {
    const answer = answers[sourcePosition];
    if (answer === undefined) return whenUnanswered;
    const answerForms = forms[sourcePosition] ?? {};
    forms[sourcePosition] = answerForms;
    return test.holds(answer, answerForms);
  };
  return { ...condition, sourcePosition, steps: test.steps, holds };
}

/** The type of a question, with what decides its operators: `likert with rows`. */
export function typeNameOf({ type, source }: CompiledQuestion): string {
  if (type === 'likert' && itemsOf(source['rows']).length > 0) return 'likert with rows';
  return type === 'text' && typeof source['format'] === 'string' ? `text with the format ${source['format']}` : type;
}

function findTargets(entry: NormalEntry, lookup: Lookup): readonly Question[] | undefined {
  if (entry.action === 'disqualify') return [];
  const named = findQuestions(entry.target, entry.path, lookup);
  return named === undefined || entry.action !== 'skip_to' ? named : findSkipped(entry, named, lookup);
}

/** The question with this id, or the questions of the section with this id. */
function findQuestions(id: string | undefined, path: string, { byId, sections, report }: Lookup) {
  if (id === undefined) {
    report('UNKNOWN_TARGET', path, 'the entry has no target question');
    return undefined;
  }
  const question = byId.get(id);
  const named = question === undefined ? sections.get(id) : [question];
  if (named === undefined) report('UNKNOWN_TARGET', path, `the survey has no question or section ${id}`);
  return named;
}

/** The questions strictly between the start of a skip and its target. */
function findSkipped(entry: NormalEntry, named: readonly Question[], lookup: Lookup) {
  const { questions, byId } = lookup;
  const starts =
    entry.from === undefined
      ? entry.conditions.map(({ source }) => byId.get(source)).filter((question) => question !== undefined)
      : findQuestions(entry.from, entry.path, lookup);
  if (starts === undefined) return undefined;
  const start = starts.reduce((last, { position }) => Math.max(last, position), -1);
  const end = named.reduce((first, { position }) => Math.min(first, position), questions.length);
  if (start >= 0 && end > start && end < questions.length) return questions.slice(start + 1, end);
  lookup.report('BAD_SKIP', entry.path, 'the target of skip_to must be later than the question where the skip starts');
  return undefined;
}

function reportForwardReferences(
  conditions: readonly Condition[],
  targets: readonly Question[],
  { questions, report }: Lookup,
): void {
  const first = targets.reduce<Question | undefined>(
    (earliest, target) => (earliest === undefined || target.page < earliest.page ? target : earliest),
    undefined,
  );
  if (first === undefined) return;
  for (const { sourcePosition, source, path } of conditions) {
    if ((questions[sourcePosition]?.page ?? 0) > first.page) {
      report('FORWARD_REFERENCE', path, `${source} is on a later page than ${first.id}, which depends on it`, first.id);
    }
  }
}
