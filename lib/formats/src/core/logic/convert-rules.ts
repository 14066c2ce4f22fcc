import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { bytesOf } from '../source-data.ts';
import { createDiagrams } from './diagrams.ts';
import { findCycles } from './find-cycles.ts';
import { all, constantOf, countValues, type Formula, leavesOf, not, partsOf } from './formula.ts';
import { type Alternatives, createVariableTable, isAnswerEntry } from './variables.ts';
import {
  areTooMany,
  countConditions,
  impossibleAlternatives,
  TOO_COMPLEX,
  TOO_MANY,
  toAlternatives,
  toDiagram,
  toEntries,
  unlessTooLarge,
} from './write.ts';

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

/** Logic entries and the rules that they come from. */
interface Written<Rule> {
  readonly entries: readonly JsonObject[];
  readonly from: readonly Rule[];
}

type Reject<Rule> = (rule: Rule, reason: string) => void;

/** Maximum bytes of the logic. Leaves space for the questions. */
const MAX_BYTES = (LIMITS.definitionBytes * 3) / 4;
const TOO_MANY_CONDITIONS = `the survey has more than ${LIMITS.conditions} conditions`;
const TOO_LARGE = `the conditions of the survey take more than ${MAX_BYTES} bytes`;
const TOO_MANY_AFFECTED = 'the survey has more logic than is allowed';
/** Each compilation takes time for the whole survey. */
const MAX_COMPILATIONS = 2;
/** Each pass removes the entries of the rules that the pass before rejected. */
const MAX_PASSES = 3;

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
  rejectConstant(rules, reject);
  const hiding = rules.filter((rule) => rule.action !== 'require' && !unsupported.has(rule));
  for (const { rule, question } of findCycles(hiding)) reject(rule, `${question} would depend on itself`);
  const write = createWriter<Rule>(questionsOf(payload), reject);
  const writeSupported = () => {
    let written: readonly Written<Rule>[] = [];
    for (let pass = 0, before = -1; pass < MAX_PASSES && unsupported.size > before; pass += 1) {
      before = unsupported.size;
      written = write(rules.filter((rule) => !unsupported.has(rule)));
    }
    return withoutRejected(written, unsupported, reject);
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

function questionsOf(payload: JsonObject): ReadonlyMap<string, JsonObject> {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const questions = itemsOf(survey['pages']).flatMap((page) => (isObject(page) ? itemsOf(page['questions']) : []));
  return new Map(
    questions.filter((one): one is JsonObject => isObject(one)).map((question) => [String(question['id']), question]),
  );
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
    const dropped = new Set(kept.filter(({ from }) => from.some((rule) => unsupported.has(rule))));
    if (dropped.size === 0) return kept;
    for (const { from } of dropped) {
      const reason = from.map((rule) => unsupported.get(rule)).find((found) => found !== undefined) ?? '';
      for (const rule of from) reject(rule, reason);
    }
    kept = kept.filter((one) => !dropped.has(one));
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

/** Shows or hides questions if all conditions of at least one alternative hold. */
interface PlannedEntries<Rule> {
  readonly action: 'show' | 'hide';
  readonly alternatives: Alternatives;
  readonly from: readonly Rule[];
}

/** The entries for a set of rules on the same questions, and the rules that have none, with the reasons. */
interface Plan<Rule> {
  readonly writes: readonly PlannedEntries<Rule>[];
  readonly rejected: ReadonlyMap<Rule, string>;
}

/** Returns a function that writes rules, and rejects those without an equivalent, or beyond the limits of a survey. */
function createWriter<Rule extends LogicRule>(
  questions: ReadonlyMap<string, JsonObject>,
  reject: Reject<Rule>,
): (rules: readonly Rule[]) => readonly Written<Rule>[] {
  const ids = [...questions.keys()];
  const positions = new Map(ids.map((id, position) => [id, position]));
  const toAlternativesOf = createConverter(questions);
  const memoize = <Key, Value>(make: (key: Key) => Value) => {
    const known = new Map<Key, Value>();
    return (key: Key): Value => {
      const value = known.get(key) ?? make(key);
      known.set(key, value);
      return value;
    };
  };
  const whenHolds = memoize((rule: Rule) => toAlternativesOf(rule.when));
  const whenHides = memoize((rule: Rule) => toAlternativesOf(not(rule.when)));
  let count = 0;
  const numberOf = memoize((_: Rule) => {
    count += 1;
    return count;
  });
  const plans = new Map<string, Plan<Rule>>();

  const planOf = (rules: readonly Rule[]): Plan<Rule> => {
    const key = rules.map(numberOf).join();
    const plan = plans.get(key) ?? makePlan(rules);
    plans.set(key, plan);
    return plan;
  };

  /** One `show` entry for all rules, or entries for each, whichever is shorter. */
  const makePlan = (rules: readonly Rule[]): Plan<Rule> => {
    const [first] = rules;
    const combined = rules.length === 1 && first !== undefined ? whenHolds(first) : combine(rules);
    if (typeof combined !== 'string' && countConditions(combined) <= 1)
      return { writes: [show(combined, rules)], rejected: new Map() };
    const separate = separatePlan(rules);
    if (typeof combined === 'string') return separate;
    const length = separate.writes.reduce((sum, { alternatives }) => sum + countConditions(alternatives), 0);
    if (separate.rejected.size === 0 && length < countConditions(combined)) return separate;
    return { writes: [show(combined, rules)], rejected: new Map() };
  };

  const combine = (rules: readonly Rule[]): Alternatives | string => {
    const formula = all(...rules.map(({ when }) => when));
    return countValues(formula) > MAX_COMBINED ? TOO_COMPLEX : toAlternativesOf(formula);
  };

  /**
   * Hides the questions by each rule, or by each part of a rule that must hold. Parts whose negation has no alternatives
   * are combined to one `show` entry.
   */
  const separatePlan = (rules: readonly Rule[]): Plan<Rule> => {
    const writes: PlannedEntries<Rule>[] = [];
    const rest = new Map<Rule, Formula[]>();
    const hide = (rule: Rule, hidden: Alternatives) =>
      writes.push({ action: 'hide', alternatives: withoutConstants('hide', hidden, [rule]), from: [rule] });
    for (const rule of rules) {
      const hidden = whenHides(rule);
      const parts = typeof hidden === 'string' ? partsOf(rule.when, 'all') : [];
      if (typeof hidden !== 'string') hide(rule, hidden);
      else if (parts.length < 2) rest.set(rule, [rule.when]);
      else {
        const others: Formula[] = [];
        for (const part of parts) {
          const ofPart = toAlternativesOf(not(part));
          if (typeof ofPart === 'string') others.push(part);
          else hide(rule, ofPart);
        }
        if (others.length > 0) rest.set(rule, others);
      }
    }
    if (rest.size === 0) return { writes, rejected: new Map() };
    const shown = toAlternativesOf(all(...[...rest.values()].flat()));
    if (typeof shown !== 'string') return { writes: [...writes, show(shown, [...rest.keys()])], rejected: new Map() };
    const rejected = new Map<Rule, string>();
    for (const [rule, parts] of rest) {
      const alone = rest.size === 1 ? shown : toAlternativesOf(all(...parts));
      if (typeof alone === 'string') rejected.set(rule, alone);
    }
    // Each rule alone could be a `show` entry. Several `show` entries need not all hold, so only the first rule remains.
    if (rejected.size === 0) for (const rule of [...rest.keys()].slice(1)) rejected.set(rule, shown);
    return { writes, rejected };
  };

  const show = (alternatives: Alternatives, from: readonly Rule[]): PlannedEntries<Rule> => ({
    action: 'show',
    alternatives: withoutConstants('show', alternatives, from),
    from,
  });

  return (rules) => {
    const written: Written<Rule>[] = [];
    // When a limit is exceeded, no further rule is converted: that takes time.
    const limits = createLimits();
    /** @param affected number of questions that each entry affects */
    const add = (entries: readonly JsonObject[], from: readonly Rule[], affected: number) => {
      const exceeded = limits.take(entries, affected);
      if (exceeded === undefined) written.push({ entries, from });
      else for (const rule of from) reject(rule, exceeded);
    };
    const rulesByQuestion = new Map<string, Rule[]>();
    const skips: Rule[] = [];
    for (const rule of rules) {
      if (constantOf(rule.when) !== undefined) continue;
      const { action, questions: affected, section } = rule;
      if (action === 'skip') {
        skips.push(rule);
      } else if (action === 'require') {
        const required = limits.exceeded() ?? whenHolds(rule);
        if (typeof required === 'string') reject(rule, required);
        else {
          const alternatives = withoutConstants(action, required, [rule]);
          for (const id of affected) add(toEntries({ question_id: id }, action, alternatives), [rule], 1);
        }
      } else {
        // Hide the whole section, so that each of its questions can have a `show` entry of its own.
        const hidden = section === undefined ? '' : whenHides(rule);
        if (section !== undefined && typeof hidden !== 'string') {
          const alternatives = withoutConstants('hide', hidden, [rule]);
          add(toEntries({ question_id: section }, 'hide', alternatives), [rule], affected.length);
          continue;
        }
        for (const id of affected) {
          const ofQuestion = rulesByQuestion.get(id);
          if (ofQuestion === undefined) rulesByQuestion.set(id, [rule]);
          else ofQuestion.push(rule);
        }
      }
    }
    for (const [id, ofQuestion] of rulesByQuestion) {
      const exceeded = limits.exceeded();
      const { writes, rejected } =
        exceeded === undefined
          ? planOf(ofQuestion)
          : { writes: [], rejected: new Map(ofQuestion.map((rule) => [rule, exceeded])) };
      for (const [rule, reason] of rejected) reject(rule, reason);
      // The next pass writes the question without the rejected rules. If no pass follows, `withoutRejected` finds this
      // empty item, and rejects the other rules too.
      if (rejected.size > 0) written.push({ entries: [], from: ofQuestion });
      else {
        for (const { action, alternatives, from } of writes) {
          add(toEntries({ question_id: id }, action, alternatives), from, 1);
        }
      }
    }
    for (const rule of skips) {
      const skipped = limits.exceeded() ?? whenHolds(rule);
      if (typeof skipped === 'string') reject(rule, skipped);
      else add(skipEntries(rule, withoutConstants('hide', skipped, [rule])), [rule], rule.questions.length);
    }
    return written;
  };

  /** Entries that hide questions which follow each other. */
  function skipEntries({ questions: skipped }: Rule, alternatives: Alternatives): readonly JsonObject[] {
    const start = positions.get(skipped[0] ?? '') ?? 0;
    const [before, after] = [ids[start - 1], ids[start + skipped.length]];
    const last = skipped.at(-1);
    if (last === undefined || before === undefined) return [];
    const hasBetween = after !== undefined || skipped.length > 1;
    return [
      ...(hasBetween
        ? toEntries({ question_id: before, target_question: after ?? last }, 'skip_to', alternatives)
        : []),
      // `skip_to` needs a target question, so the last question of the survey is hidden separately.
      ...(after === undefined ? toEntries({ question_id: last }, 'hide', alternatives) : []),
    ];
  }
}

/** Replaces constants, which entries cannot have, by conditions. Returns none if no entry is needed. */
function withoutConstants(action: string, alternatives: Alternatives, from: readonly LogicRule[]): Alternatives {
  const source = sourceOf(from);
  const isAlways = alternatives.some(({ length }) => length === 0);
  if (action === 'show')
    return isAlways ? [] : alternatives.length === 0 ? impossibleAlternatives(source) : alternatives;
  return isAlways ? impossibleAlternatives(source).flatMap((both) => both.map((one) => [one])) : alternatives;
}

function sourceOf(rules: readonly LogicRule[]): string {
  for (const { when } of rules) {
    for (const leaf of leavesOf(when)) if (leaf.kind === 'condition') return leaf.condition.source;
  }
  return '';
}

/** Counts entries against the limits of a survey. */
function createLimits() {
  let [conditions, bytes, affected] = [0, 0, 0];
  let exceeded: string | undefined;
  return {
    /** The limit that the entries exceed, if any. */
    exceeded: () => exceeded,
    /** Adds entries, and returns the limit that they exceed, if any. */
    take(entries: readonly JsonObject[], affectedByEach: number): string | undefined {
      conditions += entries.reduce((sum, entry) => sum + itemsOf(entry['conditions']).length, 0);
      bytes += bytesOf([...entries]);
      affected += entries.length * affectedByEach;
      if (conditions > LIMITS.conditions) exceeded ??= TOO_MANY_CONDITIONS;
      if (bytes > MAX_BYTES) exceeded ??= TOO_LARGE;
      if (affected > LIMITS.affectedQuestions) exceeded ??= TOO_MANY_AFFECTED;
      return exceeded;
    },
  };
}

/** Maximum steps to convert one formula, and more for each value in it. */
const MAX_STEPS = 30_000;
const STEPS_FOR_VALUE = 40;
/** Maximum steps to convert all formulas. A usual rule takes some hundred. */
const MAX_ALL_STEPS = 1_500_000;
/** Maximum values of rules that are combined: each question can have its own set of rules. */
const MAX_COMBINED = 500;
const TOO_MANY_STEPS = 'the logic of the survey takes too many steps to convert';

/**
 * Returns a function that converts a formula to alternatives of conditions that hold for the same answers, or to the
 * reason why there are none.
 */
function createConverter(questions: ReadonlyMap<string, JsonObject>): (formula: Formula) => Alternatives | string {
  let stepsLeft = MAX_ALL_STEPS;

  const convertWhole = (formula: Formula): Alternatives | string => {
    const leaves = leavesOf(formula);
    if (leaves.length > LIMITS.conditions) return TOO_COMPLEX;
    const table = createVariableTable(questions, leaves);
    const maxSteps = MAX_STEPS + STEPS_FOR_VALUE * countValues(formula);
    const diagrams = createDiagrams(table.sizes, Math.min(maxSteps, stepsLeft));
    const found = unlessTooLarge(() => {
      const wanted = toDiagram(formula, { diagrams, table });
      for (const variable of diagrams.variablesOf(wanted)) {
        const entry = table.entries[variable];
        if (entry !== undefined && !isAnswerEntry(entry)) return entry.reason;
      }
      return toAlternatives({ diagrams, table }, wanted);
    });
    stepsLeft -= diagrams.steps();
    return found ?? TOO_COMPLEX;
  };

  const convert = (formula: Formula): Alternatives | string => {
    if (stepsLeft <= 0) return TOO_MANY_STEPS;
    const whole = convertWhole(formula);
    // The whole formula is shorter, but can take too many steps. Its alternatives take fewer.
    const parts = whole === TOO_MANY || whole === TOO_COMPLEX ? partsOf(formula, 'any') : [];
    if (parts.length < 2) return whole;
    let found: Alternatives = [];
    for (const part of parts) {
      const ofPart = convert(part);
      if (typeof ofPart === 'string') return ofPart;
      found = [...found, ...ofPart];
      if (areTooMany(found)) return TOO_MANY;
    }
    return found;
  };
  return convert;
}
