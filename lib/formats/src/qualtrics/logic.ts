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

const MAX_ENDS = 1_000;

/** A Qualtrics question in the order of the survey, with its converted questions. */
export interface SurveyStep extends SkipStep {
  readonly located: Located;
  readonly flowBlock: FlowBlock;
  readonly parts: readonly Part[];
}

/** Adds all logic: display logic, branches and ends of the flow, skips, and text entries of choices. */
export function addLogic(steps: readonly SurveyStep[], { blocks, ends }: Flow, draft: SurveyDraft): void {
  const index = indexQuestions(draft.payload());
  const addRule = ({ logic, path }: Guard, questions: readonly string[], when: () => Formula) =>
    draft.rule({ action: 'show', questions, when, at: path, source: logic });

  const stepsByBlock = Map.groupBy(steps, ({ flowBlock }) => flowBlock);
  const questionsOf = (block: FlowBlock) => (stepsByBlock.get(block) ?? []).flatMap(({ ids }) => ids);
  const blocksByGuard = Map.groupBy(
    blocks.flatMap((block) => (isRepeated(block) ? [] : block.guards.map((guard) => ({ guard, block })))),
    ({ guard }) => guard,
  );
  for (const [guard, guarded] of blocksByGuard) {
    const questions = guarded.flatMap(({ block }) => questionsOf(block));
    addRule(guard, questions, () => toFormula(guard.logic, index));
  }
  for (const block of blocks.filter(isRepeated)) {
    const [guard] = block.guards;
    const occurrences = [block.guards, ...(block.laterGuards ?? [])];
    const convert = () =>
      any(...occurrences.map((guards) => all(...guards.map(({ logic }) => toFormula(logic, index)))));
    if (guard !== undefined) addRule(guard, questionsOf(block), convert);
  }
  for (const { located, ids, parts } of steps) {
    const logic = objectMember(located.value, 'DisplayLogic');
    const path = `${located.path}/DisplayLogic`;
    if (logic !== undefined) addRule({ logic, path }, ids, () => toFormula(logic, index));
    for (const [position, part] of parts.entries()) {
      // A text entry is shown if its choice is chosen.
      const when = part.choice && whereChoiceChosen(part.choice, index);
      if (when !== undefined) addRule({ logic: {}, path: part.path }, ids.slice(position, position + 1), () => when);
    }
  }
  for (const skip of readSkips(steps, index)) draft.rule(skip);
  addEnds(blocks.map(questionsOf), ends, index, draft);
}

/**
 * Adds "End of Survey" elements as jumps to the end, from the last question before the element.
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
  let jumps = 0;
  /** Position of the first question of each block. */
  const positions = [0];
  for (const questions of questionsByBlock) positions.push((positions.at(-1) ?? 0) + questions.length);
  for (const { guards, blocksBefore, order } of ends) {
    // An unconditional end needs no jump: `readFlow` leaves out the blocks after it.
    const lastGuard = guards.at(-1);
    if (lastGuard === undefined && order === 'fixed') continue;
    const { path, logic: source } = lastGuard ?? { path: '', logic: {} };
    const position = positions[blocksBefore] ?? 0;
    const [from, skipped] = [allQuestions[position - 1], allQuestions.slice(position)];
    const isTooMany = jumps >= MAX_ENDS;
    const isRandom = order === 'random';
    const reason = isTooMany
      ? `the flow has more than ${MAX_ENDS} ends`
      : isRandom
        ? 'the end is inside a randomised part of the flow'
        : 'no question comes before it';
    if (isTooMany || isRandom || from === undefined) {
      const questions = isRandom ? allQuestions : skipped;
      const when = () => {
        throw new NotConvertedError(reason);
      };
      draft.rule({ action: 'show', questions, when, at: path, source });
      if (isTooMany) break;
      continue;
    }
    const when = () => all(...guards.map(({ logic }) => toFormula(logic, index)));
    draft.rule({ action: 'skip', at: path, source, questions: skipped, when });
    jumps += 1;
  }
}

/** The formula that holds if the choice of a text entry is chosen; undefined if the choice is unknown. */
function whereChoiceChosen(
  choice: { readonly question: string; readonly key: string },
  index: QuestionIndex,
): Formula | undefined {
  const source = index.get(choice.question);
  const option = source?.options.find(({ key }) => key === choice.key);
  if (source === undefined || option === undefined) return undefined;
  return condition(source.id, source.type === 'multiple_choice' ? 'contains' : 'equals', option.id);
}

/** Whether a block occurs several times in the flow, each time with guards. */
function isRepeated({ laterGuards = [] }: FlowBlock): boolean {
  return laterGuards.length > 0;
}

function objectMember(owner: JsonObject, name: string): JsonObject | undefined {
  const member = owner[name];
  return isObject(member) ? member : undefined;
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
export function toFormula(logic: JsonObject, index: QuestionIndex): Formula {
  const written = listOf(numbered(logic), '');
  let expressionsLeft = MAX_EXPRESSIONS;
  const sets = written.map(({ value }) => {
    const expressions = listOf(numbered(value), '');
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
export function convertExpression(expression: JsonObject, index: QuestionIndex): Formula {
  const kind = scalarText(expression['LogicType']) ?? 'Question';
  if (kind !== 'Question') throw new NotConvertedError(`it depends on ${kind}, not on answers`);
  const locator = scalarText(expression['ChoiceLocator']) ?? scalarText(expression['LeftOperand']) ?? '';
  const { question = '', property = '', first, second } = LOCATOR.exec(locator)?.groups ?? {};
  const operator = scalarText(expression['Operator']) ?? scalarText(expression['Condition']) ?? '';
  if (property === 'SelectableChoice' && first !== undefined) {
    if (operator === 'Selected') return whereChosen(index, question, first, second);
    if (operator === 'NotSelected') return not(whereChosen(index, question, first, second));
  }
  const comparison = COMPARISONS.get(operator);
  const names = [question, `${question}_${first}`, `${question}_${first}_TEXT`, `${question}_${first}_${second}`];
  const source = names.map((name) => index.get(name)).find((found) => found !== undefined && isValue(found));
  if (comparison === undefined || source === undefined || !/^Choice\w*EntryValue$/.test(property)) {
    throw new NotConvertedError(`${operator} of ${locator} has no equivalent`);
  }
  const hasValue = comparison !== 'is_answered' && comparison !== 'is_not_answered';
  return hasValue
    ? condition(source.id, comparison, operandOf(expression['RightOperand']))
    : condition(source.id, comparison);
}

function whereChosen(index: QuestionIndex, question: string, first: string, second: string | undefined): Formula {
  const source = index.get(second === undefined ? question : `${question}_${first}`);
  const key = second ?? first;
  if (source?.type === 'rating') return condition(source.id, 'equals', ratingOf(key));
  const isMultiple = source?.type === 'multiple_choice';
  const option = source?.options.find((one) => one.key === key);
  if (source === undefined || source.rows.length > 0 || option === undefined) {
    throw new NotConvertedError(`no question has the choice ${[question, first, second].filter(Boolean).join('/')}`);
  }
  return condition(source.id, isMultiple ? 'contains' : 'equals', option.id);
}

function ratingOf(key: string): number {
  const value = numberOf(key);
  if (value === undefined) throw new NotConvertedError(`the choice ${key} is not a number`);
  return value;
}

function isValue({ type }: IndexedQuestion): boolean {
  return ['text', 'textarea', 'rating', 'date'].includes(type);
}

function operandOf(value: JsonValue | undefined): JsonValue {
  return value ?? '';
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
function numbered(owner: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(owner).filter(([name]) => /^\d+$/.test(name)));
}

/** A question in the order of the survey, with the ids of its converted questions. */
export interface SkipStep {
  /** Id in Qualtrics, such as `QID1`. */
  readonly qid: string;
  readonly block: string;
  readonly ids: readonly string[];
  readonly required: boolean;
  /** The skips of the question. The first one that holds is taken. */
  readonly skips: readonly Located[];
  /** Order of the blocks, and of the questions in its block. */
  readonly order: { readonly block: Order; readonly questions: Order };
}

type Order = 'fixed' | 'random';

const MAX_SKIPS = 20;
const MAX_JUMPS = LIMITS.conditions;

/**
 * Converts the skips of questions to jumps. A skip tests only the answer to its own question, so the path to this
 * question does not matter.
 */
export function readSkips(
  steps: readonly SkipStep[],
  index: ReadonlyMap<string, IndexedQuestion>,
): readonly DraftRule[] {
  const jumps: DraftRule[] = [];
  const route = createRoute(steps);
  for (const [position, step] of steps.entries()) {
    for (const [number, skip] of step.skips.entries()) {
      const { path, value: source } = skip;
      if (jumps.length < MAX_JUMPS) {
        const { questions, fault } = route.targetOf(position, skip.value);
        const when = () => formulaOf(step, number, fault, index);
        jumps.push({ action: 'skip', at: path, source, questions, when });
        continue;
      }
      // One unsupported jump stands for all further skips.
      const fault = `the survey has more than ${MAX_JUMPS} skips`;
      const questions = route.idsBetween(position + 1, steps.length);
      const when = () => formulaOf(step, number, fault, index);
      return [...jumps, { action: 'skip', at: path, source, questions, when }];
    }
  }
  return jumps;
}

function formulaOf(
  { qid, required, skips }: SkipStep,
  number: number,
  fault: string | undefined,
  index: ReadonlyMap<string, IndexedQuestion>,
): Formula {
  const source = index.get(qid);
  if (source === undefined) throw new NotConvertedError('its question has no single equivalent');
  if (fault !== undefined) throw new NotConvertedError(fault);
  if (number >= MAX_SKIPS) throw new NotConvertedError(`its question has more than ${MAX_SKIPS} skips`);
  const conditionOf = ({ value }: Located): Formula => {
    if (!required && isTrueWithoutAnswer(value)) throw new NotConvertedError('it also applies without an answer');
    return convertExpression(value, index);
  };
  // The first skip that holds is taken, so no earlier skip may hold.
  const [skip, ...before] = skips.slice(0, number + 1).toReversed();
  const taken = skip === undefined ? [] : [conditionOf(skip)];
  return all(condition(source.id, 'is_answered'), ...taken, ...before.map((one) => not(conditionOf(one))));
}

/** Whether the condition can hold without an answer. */
function isTrueWithoutAnswer({ Condition: condition, Operator: operator }: JsonObject): boolean {
  return /^(Not(?!Empty)|Empty|DoesNot)/.test(scalarText(operator) ?? scalarText(condition) ?? '');
}

export function skipsOf({ value, path }: Located): readonly Located[] {
  return listOf(value['SkipLogic'], `${path}/SkipLogic`);
}

interface SkipTarget {
  /** Ids of the skipped questions. In random order, ids of all questions that may be skipped. */
  readonly questions: readonly string[];
  /** The reason why the skip cannot be converted. */
  readonly fault: string | undefined;
}

/** Finds the questions that a skip passes over. */
interface Route {
  /** @param position position of the step with the skip */
  targetOf(position: number, skip: JsonObject): SkipTarget;
  /** Ids of the questions from `start` to before `end`. */
  idsBetween(start: number, end: number): readonly string[];
}

const END_OF_SURVEY = 'ENDOFSURVEY';
const NO_LATER_QUESTION = 'it does not lead to a later question';

export function createRoute(steps: readonly SkipStep[]): Route {
  const positions = new Map(steps.map(({ qid }, position) => [qid, position]));
  const blockStarts = new Map(steps.map(({ block }, position) => [block, position] as const).toReversed());
  const blockEnds = new Map(steps.map(({ block }, position) => [block, position + 1]));
  const ids = steps.flatMap((step) => step.ids);
  /** Number of ids before each position. */
  const before = [0];
  for (const step of steps) before.push((before.at(-1) ?? 0) + step.ids.length);
  const idsBetween = (start: number, end: number) => ids.slice(before[start], before[Math.max(start, end)]);

  /** Position of the first step that is not skipped; undefined for an unknown destination. */
  const endOf = (destination: string, block: string): number | undefined => {
    if (destination === END_OF_SURVEY) return steps.length;
    return destination === 'ENDOFBLOCK' ? blockEnds.get(block) : positions.get(destination);
  };

  return {
    idsBetween,
    targetOf(position, skip) {
      const { block = '', order } = steps[position] ?? {};
      const destination = scalarText(skip['SkipToDestination']) ?? '';
      const end = endOf(destination, block);
      if (end === undefined) return { questions: [], fault: NO_LATER_QUESTION };
      const [start, blockEnd] = [blockStarts.get(block) ?? 0, blockEnds.get(block) ?? 0];
      const leavesBlock = end < start || end > blockEnd || destination === END_OF_SURVEY;
      if (order?.block === 'random' && leavesBlock) {
        return { questions: ids, fault: 'the blocks are in random order' };
      }
      if (order?.questions === 'random') {
        return {
          questions: idsBetween(start, Math.max(end, blockEnd)),
          fault: 'the questions are in random order',
        };
      }
      const fault = end > position ? undefined : NO_LATER_QUESTION;
      return { questions: idsBetween(position + 1, end), fault };
    },
  };
}
