import type { JsonValue } from '@bufbuild/protobuf';
import { ALWAYS, all, condition, type Formula } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import type { LocatedRule, UnsupportedLogic } from '../core/unsupported-logic.ts';
import { toExpression } from './conditions.ts';
import type { LssRow } from './lss.ts';
import type { LssGroup, LssQuestion, LssSurvey } from './lss-survey.ts';
import type { IndexedQuestion } from './question-index.ts';
import type { Part } from './question-parts.ts';
import { toFormula } from './relevance.ts';
import { createVariables, type Variable, type Variables } from './variables.ts';

/** A LimeSurvey question with the questions that it becomes. */
export interface ConvertedQuestion {
  readonly group: LssGroup;
  readonly question: LssQuestion;
  readonly ids: readonly string[];
  readonly parts: readonly Part[];
}

interface SurveyRules {
  readonly rules: readonly LocatedRule[];
  readonly unsupported: readonly UnsupportedLogic[];
}

/** Maximum characters of all expressions. Valid definitions have fewer. */
const MAX_CHARACTERS = 1024 * 1024;
/** Maximum conditions of a question's visibility. Beyond that, the visibility counts as unknown. */
const MAX_VISIBILITY_CONDITIONS = 20;
/** Expressions that mean "no condition". */
const NO_CONDITION: readonly string[] = ['', '1', '((1))'];

/** Reads all logic: relevance of questions and groups, conditions, and comments of choices. */
export function readRules(
  steps: readonly ConvertedQuestion[],
  survey: LssSurvey,
  index: readonly IndexedQuestion[],
): SurveyRules {
  const rules: LocatedRule[] = [];
  const unsupported: UnsupportedLogic[] = [];
  const variables = createVariables(index, survey);
  const conditions = Map.groupBy(survey.conditions, (row) => row.get('qid'));
  /** The condition under which a question is shown, by id; undefined if unknown. */
  const shown = new Map<string, Formula | undefined>();
  const shownOf = ({ question }: Variable) => (shown.has(question.id) ? shown.get(question.id) : ALWAYS);

  let charactersLeft = MAX_CHARACTERS;
  const formulaOf = (expression: string): Formula => {
    charactersLeft -= expression.length;
    if (charactersLeft < 0)
      throw new NotConvertedError(`all expressions of the survey have more than ${MAX_CHARACTERS} characters`);
    return toFormula(expression, variables, shownOf);
  };

  const addRule = (path: string, source: JsonValue, ids: readonly string[], convert: () => Formula) => {
    try {
      const when = convert();
      if (ids.length > 0) rules.push({ action: 'show', path, source, questions: ids, when });
      for (const id of ids) {
        const before = shown.has(id) ? shown.get(id) : ALWAYS;
        const combined = before && all(before, when);
        shown.set(id, combined !== undefined && sizeOf(combined) <= MAX_VISIBILITY_CONDITIONS ? combined : undefined);
      }
    } catch (error) {
      if (!(error instanceof NotConvertedError)) throw error;
      unsupported.push({ path, source, questions: ids, reason: error.message });
      for (const id of ids) shown.set(id, undefined);
    }
  };

  for (const [group, inGroup] of Map.groupBy(steps, (step) => step.group)) {
    const relevance = group.relevance.trim();
    const ids = inGroup.flatMap((step) => step.ids);
    if (!NO_CONDITION.includes(relevance)) {
      addRule(`${group.row.path}/grelevance`, relevance, ids, () => formulaOf(relevance));
    }
    for (const step of inGroup) {
      const { question, parts } = step;
      const { path, expression } = relevanceOf(question, conditions.get(question.qid) ?? [], variables);
      if (!NO_CONDITION.includes(expression)) {
        addRule(path, expression, step.ids, () => formulaOf(expression));
      }
      const main = index.find(({ id }) => id === step.ids[0]);
      for (const [position, { choice }] of parts.entries()) {
        const when = choice === undefined ? undefined : whereChosen(main, choice);
        if (when !== undefined) addRule(question.row.path, '', step.ids.slice(position, position + 1), () => when);
      }
    }
  }
  return { rules, unsupported };
}

function relevanceOf(
  { row }: LssQuestion,
  conditions: readonly LssRow[],
  variables: Variables,
): { readonly path: string; readonly expression: string } {
  const relevance = row.get('relevance').trim();
  const [first] = conditions;
  if (!NO_CONDITION.includes(relevance) || first === undefined)
    return { path: `${row.path}/relevance`, expression: relevance };
  return { path: first.path, expression: toExpression(conditions, variables) };
}

function sizeOf(formula: Formula): number {
  switch (formula.kind) {
    case 'not':
      return sizeOf(formula.of);
    case 'all':
    case 'any':
      return formula.of.reduce((sum, part) => sum + sizeOf(part), 0);
    default:
      return 1;
  }
}

/** The condition for showing the comment on a choice: the choice is chosen. */
function whereChosen(question: IndexedQuestion | undefined, choice: string): Formula | undefined {
  if (question === undefined) return undefined;
  const id =
    choice === 'other' && question.allowOther ? choice : question.options.find(({ code }) => code === choice)?.id;
  return id === undefined ? undefined : condition(question.id, 'contains', id);
}
