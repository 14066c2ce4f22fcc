import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import type { Operator } from '@survey/questionnaire/logic/operators';
import type { DraftRule, SurveyDraft } from '../core/draft.ts';
import { all, any, condition, type Formula, NotConvertedError, not } from '../core/logic/formula.ts';
import { numberOf } from '../core/source-questions.ts';
import { type Located, listOf, scalarText } from './document.ts';
import type { Flow, FlowBlock, Guard } from './flow.ts';
import { type IndexedQuestion, indexQuestions } from './headers.ts';
import type { Part } from './questions.ts';

type QuestionIndex = ReadonlyMap<string, IndexedQuestion>;

/** A Qualtrics question, in the order of the survey. */
export interface SurveyStep {
  /** Id in Qualtrics, such as `QID1`. */
  readonly qid: string;
  readonly located: Located;
  readonly block: FlowBlock;
  /** The questions of the survey that it becomes. */
  readonly parts: readonly ConvertedPart[];
  readonly required: boolean;
  /** The skips of the question. The first one that holds is taken. */
  readonly skips: readonly Located[];
  /** Order of the blocks, and of the questions in the block of this step. */
  readonly order: { readonly block: Order; readonly questions: Order };
}

type Order = 'fixed' | 'random';

export interface ConvertedPart extends Part {
  /** Id of its question in the survey. */
  readonly id: string;
}

export function idsOf({ parts }: Pick<SurveyStep, 'parts'>): readonly string[] {
  return parts.map(({ id }) => id);
}

/** Adds all logic: display logic, branches and ends of the flow, skips, and text entries of choices. */
export function addLogic(steps: readonly SurveyStep[], { blocks, ends }: Flow, draft: SurveyDraft): void {
  const index = indexQuestions(draft.payload());
  const stepsByBlock = Map.groupBy(steps, ({ block }) => block);
  const questionsOf = (block: FlowBlock) => (stepsByBlock.get(block) ?? []).flatMap(idsOf);
  addGuards(blocks, questionsOf, index, draft);
  for (const { located, parts } of steps) {
    const { DisplayLogic: source } = located.value;
    const at = `${located.path}/DisplayLogic`;
    if (isObject(source)) {
      const when = () => toFormula(source, index);
      draft.rule({ action: 'show', questions: idsOf({ parts }), when, at, source });
    }
    for (const { id, path, choice } of parts) {
      // A text entry is shown if its choice is chosen.
      const when = choice && whereEntryChosen(choice, index);
      if (when !== undefined) draft.rule({ action: 'show', questions: [id], when: () => when, at: path, source: {} });
    }
  }
  for (const skip of skipRules(steps, index)) draft.rule(skip);
  addEnds(blocks.map(questionsOf), ends, index, draft);
}

/**
 * Adds the guards of blocks. A guard becomes one rule for all of its blocks. A repeated block gets one rule that joins
 * the guards of all its occurrences.
 */
function addGuards(
  blocks: readonly FlowBlock[],
  questionsOf: (block: FlowBlock) => readonly string[],
  index: QuestionIndex,
  draft: SurveyDraft,
): void {
  const addRule = ({ path: at, logic: source }: Guard, questions: readonly string[], when: () => Formula) =>
    draft.rule({ action: 'show', questions, when, at, source });
  const { once = [], repeated = [] } = Object.groupBy(blocks, (block) => (isRepeated(block) ? 'repeated' : 'once'));
  const guarded = once.flatMap((block) => block.guards.map((guard) => ({ guard, block })));
  for (const [guard, same] of Map.groupBy(guarded, (one) => one.guard)) {
    const questions = same.flatMap(({ block }) => questionsOf(block));
    addRule(guard, questions, () => toFormula(guard.logic, index));
  }
  for (const block of repeated) {
    const [guard] = block.guards;
    const occurrences = [block.guards, ...(block.laterGuards ?? [])];
    const convert = () => any(...occurrences.map((guards) => whereAllHold(guards, index)));
    if (guard !== undefined) addRule(guard, questionsOf(block), convert);
  }
}

/** Whether a block occurs several times in the flow, each time with guards. */
function isRepeated({ laterGuards = [] }: FlowBlock): boolean {
  return laterGuards.length > 0;
}

function whereAllHold(guards: readonly Guard[], index: QuestionIndex): Formula {
  return all(...guards.map(({ logic }) => toFormula(logic, index)));
}

const MAX_ENDS = 1_000;

/**
 * Adds "End of Survey" elements as rules that skip all questions after the element.
 *
 * @param questionsByBlock ids of the questions of each block, in order
 */
function addEnds(
  questionsByBlock: readonly (readonly string[])[],
  ends: Flow['ends'],
  index: QuestionIndex,
  draft: SurveyDraft,
): void {
  const allQuestions = questionsByBlock.flat();
  /** Position of the first question of each block. */
  const positions = [0];
  for (const questions of questionsByBlock) positions.push((positions.at(-1) ?? 0) + questions.length);
  let converted = 0;
  for (const end of ends) {
    const { guards, blocksBefore, order } = end;
    // The innermost branch is where the file decides about the end, so a report names it.
    const { path: at, logic: source } = guards.at(-1) ?? { path: end.path, logic: {} };
    const position = positions[blocksBefore] ?? 0;
    const skipped = allQuestions.slice(position);
    const isTooMany = converted >= MAX_ENDS;
    const reason = isTooMany ? `the flow has more than ${MAX_ENDS} ends` : unsupportedEndReason(end, position > 0);
    if (reason === undefined) {
      draft.rule({ action: 'skip', at, source, questions: skipped, when: () => whereAllHold(guards, index) });
      converted += 1;
      continue;
    }
    const when = () => {
      throw new NotConvertedError(reason);
    };
    // A rule whose condition throws is reported as not converted, for the questions that the end could hide.
    draft.rule({ action: 'show', questions: order === 'random' ? allQuestions : skipped, when, at, source });
    if (isTooMany) break;
  }
}

function unsupportedEndReason({ order, shownQuestions }: Flow['ends'][number], hasQuestionBefore: boolean) {
  if (order === 'random') return 'the end is inside a randomised part of the flow';
  if (shownQuestions === 'some') return 'the end is inside a branch without a condition that can be read';
  return hasQuestionBefore ? undefined : 'no question comes before it';
}

/** The formula that holds if the choice of a text entry is chosen; undefined if the choice is unknown. */
function whereEntryChosen(
  choice: { readonly question: string; readonly key: string },
  index: QuestionIndex,
): Formula | undefined {
  const source = index.get(choice.question);
  const option = source?.options.find(({ key }) => key === choice.key);
  return source === undefined || option === undefined ? undefined : whereChosen(source, option.id);
}

function whereChosen({ id, type }: IndexedQuestion, optionId: string): Formula {
  return condition(id, type === 'multiple_choice' ? 'contains' : 'equals', optionId);
}

const LOCATOR = /^q:\/\/(?<question>[^/]+)\/(?<property>\w+)(?:\/(?<first>[^/]+))?(?:\/(?<second>[^/]+))?$/;
const MAX_EXPRESSIONS = 200;

const COMPARISONS: ReadonlyMap<string, Operator> = new Map(
  Object.entries<Operator>({
    EqualTo: 'equals',
    NotEqualTo: 'not_equals',
    GreaterThan: 'greater_than',
    GreaterThanOrEqual: 'greater_or_equal',
    LessThan: 'less_than',
    LessThanOrEqual: 'less_or_equal',
    Contains: 'contains',
    DoesNotContain: 'not_contains',
    Empty: 'is_not_answered',
    NotEmpty: 'is_answered',
  }),
);

/**
 * Converts Qualtrics logic, `{"0": {"0": expression, "1": expression, …}, "1": …}`: sets of expressions. `And`
 * binds tighter than `Or`. Throws `NotConvertedError`.
 */
function toFormula(logic: JsonObject, index: QuestionIndex): Formula {
  const written = listOf(numberedMembers(logic), '');
  let expressionsLeft = MAX_EXPRESSIONS;
  const sets = written.map(({ value }) => {
    const expressions = listOf(numberedMembers(value), '');
    expressionsLeft -= Math.max(expressions.length, 1);
    if (expressionsLeft < 0) throw new NotConvertedError(`it has more than ${MAX_EXPRESSIONS} expressions`);
    const formulas = expressions.map((expression) => ({
      // Qualtrics writes `Conjuction`.
      isOr: isOr(expression.value['Conjuction'] ?? expression.value['Conjunction']),
      formula: convertExpression(expression.value, index),
    }));
    if (formulas.length === 0) throw new NotConvertedError('it has a set without expressions');
    return { isOr: isOr(value['Type']), formula: join(formulas) };
  });
  if (sets.length === 0) throw new NotConvertedError('it has no expressions');
  return join(sets);
}

/**
 * Converts one expression on an answer: `ChoiceLocator` or `LeftOperand`, `Operator`, `RightOperand`. Throws
 * `NotConvertedError`.
 */
function convertExpression(expression: JsonObject, index: QuestionIndex): Formula {
  const kind = scalarText(expression['LogicType']) ?? 'Question';
  if (kind !== 'Question') throw new NotConvertedError(`it depends on ${kind}, not on answers`);
  const locator = scalarText(expression['ChoiceLocator']) ?? scalarText(expression['LeftOperand']) ?? '';
  const { question = '', property = '', first, second } = LOCATOR.exec(locator)?.groups ?? {};
  const operator = scalarText(expression['Operator']) ?? scalarText(expression['Condition']) ?? '';
  if (property === 'SelectableChoice' && first !== undefined) {
    if (operator === 'Selected') return whereSelected(index, question, first, second);
    if (operator === 'NotSelected') return not(whereSelected(index, question, first, second));
  }
  const comparison = COMPARISONS.get(operator);
  const names = [question, `${question}_${first}`, `${question}_${first}_TEXT`, `${question}_${first}_${second}`];
  const source = names.map((name) => index.get(name)).find((found) => found !== undefined && hasPlainAnswer(found));
  if (comparison === undefined || source === undefined || !/^Choice\w*EntryValue$/.test(property)) {
    throw new NotConvertedError(`${operator} of ${locator} has no equivalent`);
  }
  const hasValue = comparison !== 'is_answered' && comparison !== 'is_not_answered';
  return condition(source.id, comparison, hasValue ? (expression['RightOperand'] ?? '') : undefined);
}

function whereSelected(index: QuestionIndex, question: string, first: string, second: string | undefined): Formula {
  const source = index.get(second === undefined ? question : `${question}_${first}`);
  const key = second ?? first;
  if (source?.type === 'rating') return condition(source.id, 'equals', ratingOf(key));
  const option = source?.options.find((one) => one.key === key);
  if (source === undefined || source.rows.length > 0 || option === undefined) {
    throw new NotConvertedError(`no question has the choice ${[question, first, second].filter(Boolean).join('/')}`);
  }
  return whereChosen(source, option.id);
}

function ratingOf(key: string): number {
  const value = numberOf(key);
  if (value === undefined) throw new NotConvertedError(`the choice ${key} is not a number`);
  return value;
}

function hasPlainAnswer({ type }: IndexedQuestion): boolean {
  return ['text', 'textarea', 'rating', 'date'].includes(type);
}

function join(parts: readonly { readonly isOr: boolean; readonly formula: Formula }[]): Formula {
  const alternatives: Formula[][] = [];
  for (const { isOr: beginsAlternative, formula } of parts) {
    const last = alternatives.at(-1);
    if (last === undefined || beginsAlternative) alternatives.push([formula]);
    else last.push(formula);
  }
  return any(...alternatives.map((together) => all(...together)));
}

function isOr(conjunction: JsonValue | undefined): boolean {
  return /^(or|else)/i.test(scalarText(conjunction) ?? '');
}

/** The members with numeric names, in order. */
function numberedMembers(owner: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(owner).filter(([name]) => /^\d+$/.test(name)));
}

const MAX_SKIPS = 20;
const MAX_JUMPS = LIMITS.conditions;

/**
 * Converts the skips of questions to rules. A skip tests only the answer to its own question. Respondents who did not
 * reach this question have no answer to it, so the path to it does not matter.
 */
function skipRules(steps: readonly SurveyStep[], index: QuestionIndex): readonly DraftRule[] {
  const rules: DraftRule[] = [];
  const route = createRoute(steps);
  for (const [position, step] of steps.entries()) {
    for (const [number, { path: at, value: source }] of step.skips.entries()) {
      const isTooMany = rules.length >= MAX_JUMPS;
      // Above the limit, one unsupported skip over all further questions stands for all further skips.
      const { questions, fault } = isTooMany
        ? {
            questions: route.idsBetween(position + 1, steps.length),
            fault: `the survey has more than ${MAX_JUMPS} skips`,
          }
        : route.targetOf(position, source);
      rules.push({ action: 'skip', at, source, questions, when: () => whereSkipped(step, number, fault, index) });
      if (isTooMany) return rules;
    }
  }
  return rules;
}

/** The formula that holds if a skip of a question, by its number from 0, is taken. Throws `NotConvertedError`. */
function whereSkipped(
  { qid, required, skips }: SurveyStep,
  number: number,
  fault: string | undefined,
  index: QuestionIndex,
): Formula {
  const source = index.get(qid);
  if (source === undefined) throw new NotConvertedError('its question does not become exactly one question');
  if (fault !== undefined) throw new NotConvertedError(fault);
  if (number >= MAX_SKIPS) throw new NotConvertedError(`its question has more than ${MAX_SKIPS} skips`);
  const untilThis = skips.slice(0, number + 1).toReversed();
  const [taken, ...earlier] = untilThis.map(({ value }) => {
    if (!required && isTrueWithoutAnswer(value)) throw new NotConvertedError('it also applies without an answer');
    return convertExpression(value, index);
  });
  // The first skip that holds is taken, so no earlier skip may hold.
  return all(condition(source.id, 'is_answered'), ...(taken === undefined ? [] : [taken]), ...earlier.map(not));
}

/** Whether the condition can hold without an answer. */
function isTrueWithoutAnswer({ Condition: name, Operator: operator }: JsonObject): boolean {
  return /^(Not(?!Empty)|Empty|DoesNot)/.test(scalarText(operator) ?? scalarText(name) ?? '');
}

export function skipsOf({ value, path }: Located): readonly Located[] {
  return listOf(value['SkipLogic'], `${path}/SkipLogic`);
}

interface SkipTarget {
  /** Ids of the skipped questions. In random order, of all questions that some order skips. */
  readonly questions: readonly string[];
  /** The reason why the skip cannot be converted. */
  readonly fault: string | undefined;
}

/** Finds the questions that a skip passes over. */
interface Route {
  /** @param position position of the step with the skip */
  targetOf(position: number, skip: JsonObject): SkipTarget;
  /** Ids of the questions from the step `start` to before the step `end`. */
  idsBetween(start: number, end: number): readonly string[];
}

const END_OF_SURVEY = 'ENDOFSURVEY';
const NO_LATER_QUESTION = 'it does not lead to a later question';

function createRoute(steps: readonly SurveyStep[]): Route {
  const positions = new Map(steps.map(({ qid }, position) => [qid, position]));
  const blockStarts = new Map(steps.map(({ block }, position) => [block.id, position] as const).toReversed());
  const blockEnds = new Map(steps.map(({ block }, position) => [block.id, position + 1]));
  const ids = steps.flatMap(idsOf);
  /** Number of ids before each position. */
  const idsBefore = [0];
  for (const { parts } of steps) idsBefore.push((idsBefore.at(-1) ?? 0) + parts.length);
  const idsBetween = (start: number, end: number) => ids.slice(idsBefore[start], idsBefore[Math.max(start, end)]);

  /** Position of the step at which the survey continues; undefined for an unknown destination. */
  const endOf = (destination: string, block: string): number | undefined => {
    if (destination === END_OF_SURVEY) return steps.length;
    return destination === 'ENDOFBLOCK' ? blockEnds.get(block) : positions.get(destination);
  };

  return {
    idsBetween,
    targetOf(position, skip) {
      const { block = { id: '' }, order } = steps[position] ?? {};
      const destination = scalarText(skip['SkipToDestination']) ?? '';
      const end = endOf(destination, block.id);
      if (end === undefined) return { questions: [], fault: NO_LATER_QUESTION };
      const [start, blockEnd] = [blockStarts.get(block.id) ?? 0, blockEnds.get(block.id) ?? 0];
      const leavesBlock = end < start || end > blockEnd || destination === END_OF_SURVEY;
      if (order?.block === 'random' && leavesBlock) {
        return { questions: ids, fault: 'the blocks are in random order' };
      }
      // The questions of the block can be in any order, so the skip can pass over each of them.
      if (order?.questions === 'random') {
        const questions = idsBetween(start, Math.max(end, blockEnd));
        return { questions, fault: 'the questions are in random order' };
      }
      const fault = end > position ? undefined : NO_LATER_QUESTION;
      return { questions: idsBetween(position + 1, end), fault };
    },
  };
}
