import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { findCircles } from './find-circles.ts';
import { all, constantOf, type Formula, not, type Term, toTerms } from './formula.ts';
import { NotConverted } from './not-converted.ts';

/** When questions are shown, or required. */
export interface LogicRule {
  /** `show`: only when the formula holds. `require`: required when it holds, if not anyway. */
  readonly action: 'show' | 'require';
  /** Ids of the questions. */
  readonly questions: readonly string[];
  /** Id of the section that has these questions and no others; a rule for all of them is written for that. */
  readonly section?: string;
  readonly when: Formula;
}

/** A rule that cannot be told by our logic. */
interface LostRule<Rule> {
  readonly rule: Rule;
  readonly reason: string;
}

/** An entry of our logic, and the rules that it comes from. */
interface Written<Rule> {
  readonly entry: JsonObject;
  readonly from: readonly Rule[];
}

/**
 * Writes rules as logic. A question is shown when all of its `show` rules hold, those of its sections among them, as
 * other tools have it for a question, its group and its page.
 *
 * @param payload the survey but for its logic: rules that are wrong in it, such as those that look at a later page, are lost
 */
export function toLogic<Rule extends LogicRule>(
  rules: readonly Rule[],
  payload: JsonObject,
): { readonly logic: readonly JsonObject[]; readonly lost: readonly LostRule<Rule>[] } {
  const lost = new Map<Rule, string>();
  const lose = (rule: Rule, reason: string) => lost.has(rule) || lost.set(rule, reason);
  // Lint would find them too, but one a round.
  for (const { rule, question } of findCircles(rules.filter(({ action }) => action === 'show'))) {
    lose(rule, `${question} would depend on itself`);
  }
  for (;;) {
    const before = lost.size;
    const written = writeAll(
      rules.filter((rule) => !lost.has(rule)),
      lose,
    );
    // What is written without a lost rule may be wrong for another reason, so it is looked at again.
    if (lost.size === before) findWrong(payload, written, lose);
    if (lost.size === before) {
      return { logic: written.map(({ entry }) => entry), lost: [...lost].map(([rule, reason]) => ({ rule, reason })) };
    }
  }
}

/** The questions need some room too. */
const MAX_BYTES = (LIMITS.definitionBytes * 3) / 4;
const TOO_LARGE = `the conditions of the survey take more than ${MAX_BYTES} bytes`;
const TOO_MANY = `the survey has more than ${LIMITS.conditions} conditions`;
/** Questions whose rules are too much to be written; of more the rest is not tried, for each takes its time. */
const MAX_FAILURES = 200;

type Lose<Rule> = (rule: Rule, reason: string) => void;

function writeAll<Rule extends LogicRule>(rules: readonly Rule[], lose: Lose<Rule>): readonly Written<Rule>[] {
  const written: Written<Rule>[] = [];
  const own = new Map<string, Rule[]>();
  for (const rule of rules) {
    const always = constantOf(rule.when);
    if (always !== undefined) {
      if (always === (rule.action === 'require')) lose(rule, always ? 'it always holds' : 'it never holds');
      continue;
    }
    if (rule.action === 'require') {
      const terms = attempt(() => toTerms(rule.when));
      if ('reason' in terms) lose(rule, terms.reason);
      else written.push(...rule.questions.flatMap((id) => write(id, 'require', terms.value, [rule])));
      continue;
    }
    const denied = rule.section === undefined ? undefined : attempt(() => toTerms(not(rule.when)));
    if (rule.section !== undefined && denied !== undefined && 'value' in denied) {
      // Hides, so that each question of the section may have rules of its own beside.
      written.push(...write(rule.section, 'hide', denied.value, [rule]));
    } else {
      for (const id of rule.questions) {
        const ofQuestion = own.get(id);
        if (ofQuestion === undefined) own.set(id, [rule]);
        else ofQuestion.push(rule);
      }
    }
  }
  let conditions = 0;
  let failures = 0;
  for (const [id, ofQuestion] of own) {
    if (conditions > LIMITS.conditions || failures > MAX_FAILURES) {
      for (const rule of ofQuestion) lose(rule, TOO_MANY);
      continue;
    }
    const entries = writeShown(id, ofQuestion, lose);
    conditions += countConditions(entries);
    if (entries.length === 0) failures += 1;
    written.push(...entries);
  }
  return written;
}

/** Shows when all rules hold; where that is too much for one, those that can be denied hide instead. */
function writeShown<Rule extends LogicRule>(id: string, rules: readonly Rule[], lose: Lose<Rule>): Written<Rule>[] {
  const together = attempt(() => toTerms(all(...rules.map(({ when }) => when))));
  if ('value' in together) return write(id, 'show', together.value, rules);
  return rules.flatMap((rule) => {
    const denied = attempt(() => toTerms(not(rule.when)));
    if ('value' in denied) return write(id, 'hide', denied.value, [rule]);
    const shown = attempt(() => toTerms(rule.when));
    lose(rule, 'reason' in shown ? shown.reason : together.reason);
    return [];
  });
}

function write<Rule extends LogicRule>(
  target: string,
  action: string,
  terms: readonly Term[],
  from: readonly Rule[],
): Written<Rule>[] {
  const toEntry = (term: Term, match: JsonObject): Written<Rule> => {
    const conditions = term.map(({ source, operator, value }) => ({
      source_question: source,
      operator,
      ...(value === undefined ? {} : { value }),
      action,
    }));
    return { entry: { question_id: target, ...match, conditions }, from };
  };
  if (terms.length > 1 && terms.every((term) => term.length === 1)) return [toEntry(terms.flat(), { match: 'any' })];
  return terms.map((term) => toEntry(term, {}));
}

function countConditions<Rule>(written: readonly Written<Rule>[]): number {
  return written.reduce(
    (sum, { entry }) => sum + (Array.isArray(entry['conditions']) ? entry['conditions'].length : 0),
    0,
  );
}

/** Loses what lint refuses, and what is beyond the limit of a survey. */
function findWrong<Rule>(payload: JsonObject, written: readonly Written<Rule>[], lose: Lose<Rule>): void {
  if (written.length === 0) return;
  let conditions = 0;
  let bytes = 0;
  for (const one of written) {
    conditions += countConditions([one]);
    // A list of options may be in each of them.
    if (bytes <= MAX_BYTES) bytes += JSON.stringify(one.entry).length;
    const what = (conditions > LIMITS.conditions && TOO_MANY) || (bytes > MAX_BYTES && TOO_LARGE) || undefined;
    if (what !== undefined) for (const rule of one.from) lose(rule, what);
  }
  if (conditions > LIMITS.conditions || bytes > MAX_BYTES) return;
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const { lint } = compile({ ...payload, survey: { ...survey, logic: written.map(({ entry }) => entry) } });
  for (const { path, detail } of lint.errors) {
    const index = /^\/survey\/logic\/(\d+)/.exec(path)?.[1];
    for (const rule of index === undefined ? [] : (written[Number(index)]?.from ?? [])) lose(rule, detail);
  }
}

/** What comes of it, or why nothing does. */
function attempt<Value>(convert: () => Value): { readonly value: Value } | { readonly reason: string } {
  try {
    return { value: convert() };
  } catch (error) {
    if (error instanceof NotConverted) return { reason: error.message };
    throw error;
  }
}
