import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { addToList, getOrAdd } from '../maps.ts';
import { bytesOf } from '../source-data.ts';
import { questionsOf } from '../source-questions.ts';
import {
  type Converter,
  countConditions,
  createConverter,
  TOO_COMPLEX,
  toEntries,
  withoutConstants,
} from './alternatives.ts';
import { findCycles } from './find-cycles.ts';
import { all, constantOf, countValues, type Formula, leavesOf, partsOf } from './formula.ts';
import type { Alternatives } from './variables.ts';

/** A rule of another tool: a formula decides about questions. */
export interface LogicRule {
  /**
   * - `show`: the questions are shown only if the formula holds.
   * - `require`: they are required if it holds.
   * - `skip`: they follow each other, and are hidden if it holds.
   */
  readonly action: 'show' | 'require' | 'skip';
  readonly questions: readonly string[];
  /** Id of the section with exactly these questions. The rule is then written once, for the section. */
  readonly section?: string;
  readonly when: Formula;
}

interface UnsupportedRule<Rule> {
  readonly rule: Rule;
  readonly reason: string;
}

type Reject<Rule> = (rule: Rule, reason: string) => void;

/** Maximum bytes of the logic. Leaves space for the questions. */
const MAX_BYTES = (LIMITS.definitionBytes * 3) / 4;
const TOO_MANY_ALTERNATIVES_CONDITIONS = `the survey has more than ${LIMITS.conditions} conditions`;
const TOO_LARGE = `the conditions of the survey take more than ${MAX_BYTES} bytes`;
const TOO_MANY_ALTERNATIVES_AFFECTED = 'the survey has more logic than is allowed';
const NOTHING_BEFORE = 'no question comes before the skipped ones';
/** Each compilation takes time for the whole survey. */
const MAX_COMPILATIONS = 2;
/** Each pass writes the rules that the pass before did not reject. */
const MAX_PASSES = 3;
/** Maximum values of rules that are combined: each question can have its own set of rules. */
const MAX_COMBINED = 500;

/**
 * Converts rules to logic entries (ADR 0114). A question is shown if all `show` rules of the question and its sections
 * hold, and no `skip` rule does.
 *
 * @param payload the survey without logic. Rules that are invalid in this survey are returned as unsupported.
 */
export function convertRules<Rule extends LogicRule>(
  rules: readonly Rule[],
  payload: JsonObject,
): { readonly logic: readonly JsonObject[]; readonly unsupported: readonly UnsupportedRule<Rule>[] } {
  const unsupported = new Map<Rule, string>();
  const reject: Reject<Rule> = (rule, reason) => {
    if (!unsupported.has(rule)) unsupported.set(rule, reason);
  };
  const supported = () => rules.filter((rule) => !unsupported.has(rule));
  rejectConstant(rules, reject);
  const hiding = supported().filter(({ action }) => action !== 'require');
  for (const { rule, question } of findCycles(hiding)) reject(rule, `${question} would depend on itself`);

  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const converter = createConverter(questions);
  const writer = { questionIds: [...questions.keys()], converter, planOf: createPlanner(rules, converter), reject };
  const writeSupported = (): readonly Written<Rule>[] => {
    for (let pass = 1; ; pass += 1) {
      const before = unsupported.size;
      const written = writeRules(supported(), writer);
      if (unsupported.size === before) return written;
      if (pass === MAX_PASSES) return withoutRejected(written, unsupported, reject);
    }
  };
  let written = writeSupported();
  for (let compilation = 0; compilation < MAX_COMPILATIONS && written.length > 0; compilation += 1) {
    const before = unsupported.size;
    rejectInvalid(payload, written, reject);
    if (unsupported.size === before) break;
    written = writeSupported();
  }
  return {
    logic: written.flatMap(({ entries }) => entries),
    unsupported: [...unsupported].map(([rule, reason]) => ({ rule, reason })),
  };
}

/** Rejects rules without an equivalent, and rules that hide or require questions for all answers. */
function rejectConstant<Rule extends LogicRule>(rules: readonly Rule[], reject: Reject<Rule>): void {
  for (const rule of rules) {
    const { action, questions, when } = rule;
    const holds = constantOf(when);
    if (when.kind === 'unknown') reject(rule, when.reason);
    else if (questions.length > 0 && holds === (action !== 'show')) {
      reject(rule, holds ? 'it always holds' : 'it never holds');
    }
  }
}

/** Removes entries of rejected rules. Other rules of these entries would be half written, so they are rejected, too. */
function withoutRejected<Rule>(
  written: readonly Written<Rule>[],
  unsupported: ReadonlyMap<Rule, string>,
  reject: Reject<Rule>,
): readonly Written<Rule>[] {
  for (let kept = written; ; ) {
    const removed = new Set(kept.filter(({ from }) => from.some((rule) => unsupported.has(rule))));
    if (removed.size === 0) return kept;
    for (const { from } of removed) {
      const reason = from.map((rule) => unsupported.get(rule)).find((found) => found !== undefined) ?? '';
      for (const rule of from) reject(rule, reason);
    }
    kept = kept.filter((one) => !removed.has(one));
  }
}

/** Rejects rules that lint rejects in this survey. */
function rejectInvalid<Rule>(payload: JsonObject, written: readonly Written<Rule>[], reject: Reject<Rule>): void {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const owners = written.flatMap((one) => one.entries.map(() => one));
  const logic = written.flatMap(({ entries }) => entries);
  const { errors } = compile({ ...payload, survey: { ...survey, logic } }).lint;
  for (const { path, detail } of errors) {
    const index = /^\/survey\/logic\/(\d+)/.exec(path)?.[1];
    for (const rule of index === undefined ? [] : (owners[Number(index)]?.from ?? [])) reject(rule, detail);
  }
}

/** An effect on a question or section if all conditions of at least one alternative hold, and the rules that state it. */
interface Effect<Rule> {
  readonly action: 'show' | 'hide' | 'require' | 'skip_to';
  readonly alternatives: Alternatives;
  readonly from: readonly Rule[];
}

/** Entries for the `show` rules of a question. If some of the rules are rejected, there are no effects. */
interface Plan<Rule> {
  readonly effects: readonly Effect<Rule>[];
  /** The rules that have no equivalent, with the reasons. */
  readonly rejected: ReadonlyMap<Rule, string>;
}

/** The plan for the `show` rules of a question. Questions with the same rules have the same plan. */
type PlanOf<Rule> = (rules: readonly Rule[]) => Plan<Rule>;

function createPlanner<Rule extends LogicRule>(all: readonly Rule[], converter: Converter): PlanOf<Rule> {
  const numbers = new Map(all.map((rule, number) => [rule, number]));
  const plans = new Map<string, Plan<Rule>>();
  return (rules) => {
    const key = rules.map((rule) => numbers.get(rule)).join();
    return getOrAdd(plans, key, () => planShorter(rules, converter));
  };
}

/**
 * Plans one `show` entry for all rules, or entries for each rule, whichever is shorter. Example: the rules are `q1 = a`
 * and `q2 > 5`. Then one entry shows the question if both hold, or two entries hide it if one of them does not.
 */
function planShorter<Rule extends LogicRule>(rules: readonly Rule[], converter: Converter): Plan<Rule> {
  const whole = all(...rules.map(({ when }) => when));
  const isTooLarge = rules.length > 1 && countValues(whole) > MAX_COMBINED;
  const combined = isTooLarge ? TOO_COMPLEX : converter.whenTrue(whole);
  if (typeof combined === 'string') return planSeparately(rules, converter);
  const together: Plan<Rule> = {
    effects: [{ action: 'show', alternatives: combined, from: rules }],
    rejected: new Map(),
  };
  if (countConditions(combined) <= 1) return together;
  const separate = planSeparately(rules, converter);
  const length = separate.effects.reduce((sum, { alternatives }) => sum + countConditions(alternatives), 0);
  return separate.rejected.size === 0 && length < countConditions(combined) ? separate : together;
}

/**
 * Hides the question by each rule. A rule whose negation has no alternatives is divided into the parts that must hold.
 * The parts that cannot hide the question either become one `show` entry together.
 */
function planSeparately<Rule extends LogicRule>(
  rules: readonly Rule[],
  { whenTrue, whenFalse }: Converter,
): Plan<Rule> {
  const effects: Effect<Rule>[] = [];
  const shownBy = new Map<Rule, Formula[]>();
  for (const rule of rules) {
    const isWhole = typeof whenFalse(rule.when) !== 'string';
    for (const part of isWhole ? [rule.when] : partsOf(rule.when, 'all')) {
      const alternatives = whenFalse(part);
      if (typeof alternatives !== 'string') effects.push({ action: 'hide', alternatives, from: [rule] });
      else addToList(shownBy, rule, part);
    }
  }
  if (shownBy.size === 0) return { effects, rejected: new Map() };
  const from = [...shownBy.keys()];
  const shown = whenTrue(all(...[...shownBy.values()].flat()));
  if (typeof shown !== 'string') {
    return { effects: [...effects, { action: 'show', alternatives: shown, from }], rejected: new Map() };
  }
  const rejected = [...shownBy].flatMap(([rule, parts]): readonly (readonly [Rule, string])[] => {
    const alone = from.length === 1 ? shown : whenTrue(all(...parts));
    return typeof alone === 'string' ? [[rule, alone]] : [];
  });
  // Each rule alone could be a `show` entry. Several `show` entries need not all hold, so only the first rule remains.
  const rest = from.slice(1).map((rule) => [rule, shown] as const);
  return { effects: [], rejected: new Map(rejected.length > 0 ? rejected : rest) };
}

/** Logic entries, and the rules that they come from. */
interface Written<Rule> {
  readonly entries: readonly JsonObject[];
  readonly from: readonly Rule[];
}

interface Writer<Rule> {
  /** Ids of all questions, in order. */
  readonly questionIds: readonly string[];
  readonly converter: Converter;
  readonly planOf: PlanOf<Rule>;
  readonly reject: Reject<Rule>;
}

/** Writes rules, and rejects those without an equivalent, or beyond the limits of a survey. */
function writeRules<Rule extends LogicRule>(
  rules: readonly Rule[],
  { questionIds, converter, planOf, reject }: Writer<Rule>,
): readonly Written<Rule>[] {
  const output = createOutput(reject);
  const showRules = new Map<string, Rule[]>();
  const skips: Rule[] = [];
  for (const rule of rules.filter(({ when }) => constantOf(when) === undefined)) {
    if (rule.action === 'skip') skips.push(rule);
    else if (rule.action === 'require') writeRequired(rule, converter, output);
    else if (!writeSection(rule, converter, output)) {
      for (const id of rule.questions) addToList(showRules, id, rule);
    }
  }
  for (const [id, ofQuestion] of showRules) writeShown(id, ofQuestion, planOf, output);
  for (const rule of skips) writeSkip(rule, questionIds, converter, output);
  return output.written;
}

function writeRequired<Rule extends LogicRule>(rule: Rule, { whenTrue }: Converter, output: Output<Rule>): void {
  const alternatives = output.exceeded() ?? whenTrue(rule.when);
  if (typeof alternatives === 'string') output.reject(rule, alternatives);
  else {
    for (const id of rule.questions) {
      output.add({ question_id: id }, { action: 'require', alternatives, from: [rule] });
    }
  }
}

/**
 * Hides a whole section, so that each of its questions can have a `show` entry of its own. Returns false if the rule is
 * not for a section, or its negation has no alternatives.
 */
function writeSection<Rule extends LogicRule>(rule: Rule, { whenFalse }: Converter, output: Output<Rule>): boolean {
  const alternatives = rule.section === undefined ? '' : whenFalse(rule.when);
  if (rule.section === undefined || typeof alternatives === 'string') return false;
  output.add({ question_id: rule.section }, { action: 'hide', alternatives, from: [rule] }, rule.questions.length);
  return true;
}

/** Writes the `show` rules of a question. */
function writeShown<Rule extends LogicRule>(
  id: string,
  rules: readonly Rule[],
  planOf: PlanOf<Rule>,
  output: Output<Rule>,
): void {
  const exceeded = output.exceeded();
  const { effects, rejected } =
    exceeded === undefined ? planOf(rules) : { effects: [], rejected: new Map(rules.map((rule) => [rule, exceeded])) };
  for (const [rule, reason] of rejected) output.reject(rule, reason);
  // The next pass writes the question without the rejected rules. If no pass follows, `withoutRejected` finds this
  // empty item, and rejects the other rules too.
  if (rejected.size > 0) output.written.push({ entries: [], from: rules });
  for (const effect of effects) output.add({ question_id: id }, effect);
}

/** Hides questions that follow each other. */
function writeSkip<Rule extends LogicRule>(
  rule: Rule,
  questionIds: readonly string[],
  { whenTrue }: Converter,
  output: Output<Rule>,
): void {
  const { length } = rule.questions;
  const [first = '', last = ''] = [rule.questions[0], rule.questions.at(-1)];
  if (length === 0) return;
  const start = questionIds.indexOf(first);
  const [before = '', after] = [questionIds[start - 1], questionIds[start + length]];
  const alternatives = before === '' ? NOTHING_BEFORE : (output.exceeded() ?? whenTrue(rule.when));
  if (typeof alternatives === 'string') {
    output.reject(rule, alternatives);
    return;
  }
  const effect = { alternatives, from: [rule] };
  // `skip_to` needs a target question, so the last question of the survey is hidden separately.
  const target = after ?? last;
  if (target !== first)
    output.add({ question_id: before, target_question: target }, { ...effect, action: 'skip_to' }, length);
  if (after === undefined) output.add({ question_id: last }, { ...effect, action: 'hide' });
}

/** The entries of a pass, within the limits of a survey. */
interface Output<Rule> {
  readonly written: Written<Rule>[];
  readonly reject: Reject<Rule>;
  /** The limit that the entries exceed, if any. Then no further rule is converted, because that takes time. */
  exceeded(): string | undefined;
  /**
   * Writes the entries of an effect. Rejects its rules if a limit is exceeded.
   *
   * @param target the members that say what is affected
   * @param affected number of questions that each entry affects; by default, one
   */
  add(target: JsonObject, effect: Effect<Rule>, affected?: number): void;
}

function createOutput<Rule extends LogicRule>(reject: Reject<Rule>): Output<Rule> {
  const written: Written<Rule>[] = [];
  let [conditions, bytes, allAffected] = [0, 0, 0];
  const exceeded = () => {
    if (conditions > LIMITS.conditions) return TOO_MANY_ALTERNATIVES_CONDITIONS;
    if (bytes > MAX_BYTES) return TOO_LARGE;
    return allAffected > LIMITS.affectedQuestions ? TOO_MANY_ALTERNATIVES_AFFECTED : undefined;
  };
  return {
    written,
    reject,
    exceeded,
    add(target, { action, alternatives, from }, affected = 1) {
      const sourceOf = () => from.map(({ when }) => firstSourceOf(when)).find((source) => source !== undefined) ?? '';
      const entries = toEntries(target, action, withoutConstants(action, alternatives, sourceOf));
      if (exceeded() === undefined) {
        conditions += entries.reduce((sum, entry) => sum + itemsOf(entry['conditions']).length, 0);
        bytes += bytesOf([...entries]);
        allAffected += entries.length * affected;
      }
      const limit = exceeded();
      if (limit === undefined) written.push({ entries, from });
      else for (const rule of from) reject(rule, limit);
    },
  };
}

/** The question of the first condition; undefined if there are only unknown parts. */
function firstSourceOf(formula: Formula): string | undefined {
  const leaf = leavesOf(formula).find(({ kind }) => kind === 'condition');
  return leaf?.kind === 'condition' ? leaf.condition.source : undefined;
}
