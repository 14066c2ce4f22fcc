import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { findCycles } from './find-cycles.ts';
import { all, constantOf, type Formula, not, type Term, toTerms } from './formula.ts';
import { NotConvertedError } from './not-converted.ts';

export interface LogicRule {
  /** `show`: shown only if the formula holds. `require`: required if it holds. */
  readonly action: 'show' | 'require';
  readonly questions: readonly string[];
  /** Id of the section with exactly these questions. The rule is then written once, for the section. */
  readonly section?: string;
  readonly when: Formula;
}

interface UnsupportedRule<Rule> {
  readonly rule: Rule;
  readonly reason: string;
}

/** A logic entry and the rules that it comes from. */
interface Written<Rule> {
  readonly entry: JsonObject;
  readonly from: readonly Rule[];
}

/**
 * Converts rules to logic entries. A question is shown if all `show` rules of the question and its sections hold.
 *
 * @param payload the survey without logic. Rules that are invalid in this survey are returned as unsupported.
 */
export function toLogic<Rule extends LogicRule>(
  rules: readonly Rule[],
  payload: JsonObject,
): { readonly logic: readonly JsonObject[]; readonly unsupported: readonly UnsupportedRule<Rule>[] } {
  const unsupported = new Map<Rule, string>();
  const reject = (rule: Rule, reason: string) => unsupported.has(rule) || unsupported.set(rule, reason);
  // Lint finds only one cycle per run, so find all cycles first.
  for (const { rule, question } of findCycles(rules.filter(({ action }) => action === 'show'))) {
    reject(rule, `${question} would depend on itself`);
  }
  for (;;) {
    const before = unsupported.size;
    const written = writeAll(
      rules.filter((rule) => !unsupported.has(rule)),
      reject,
    );
    // Removing a rule can reveal other errors, so check again.
    if (unsupported.size === before) rejectInvalid(payload, written, reject);
    if (unsupported.size === before) {
      return {
        logic: written.map(({ entry }) => entry),
        unsupported: [...unsupported].map(([rule, reason]) => ({ rule, reason })),
      };
    }
  }
}

/** Maximum bytes of the logic. Leaves space for the questions. */
const MAX_BYTES = (LIMITS.definitionBytes * 3) / 4;
const TOO_LARGE = `the conditions of the survey take more than ${MAX_BYTES} bytes`;
const TOO_MANY = `the survey has more than ${LIMITS.conditions} conditions`;
/** Stop after this many questions with too large rules: each takes time. */
const MAX_FAILURES = 200;
const TOO_MANY_FAILURES = `more than ${MAX_FAILURES} questions have conditions that are too large`;

type Reject<Rule> = (rule: Rule, reason: string) => void;

function writeAll<Rule extends LogicRule>(rules: readonly Rule[], reject: Reject<Rule>): readonly Written<Rule>[] {
  const written: Written<Rule>[] = [];
  const rulesByQuestion = new Map<string, Rule[]>();
  for (const rule of rules) {
    const constant = constantOf(rule.when);
    if (constant !== undefined) {
      // A condition that always shows, or never requires, changes nothing.
      if (constant === (rule.action === 'require')) reject(rule, constant ? 'it always holds' : 'it never holds');
      continue;
    }
    if (rule.action === 'require') {
      const terms = attempt(() => toTerms(rule.when));
      if ('reason' in terms) reject(rule, terms.reason);
      else written.push(...rule.questions.flatMap((id) => write(id, 'require', terms.value, [rule])));
      continue;
    }
    const negated = rule.section === undefined ? undefined : attempt(() => toTerms(not(rule.when)));
    if (rule.section !== undefined && negated !== undefined && 'value' in negated) {
      // Hide the whole section, so that each of its questions can have a `show` entry of its own.
      written.push(...write(rule.section, 'hide', negated.value, [rule]));
    } else {
      for (const id of rule.questions) {
        const ofQuestion = rulesByQuestion.get(id);
        if (ofQuestion === undefined) rulesByQuestion.set(id, [rule]);
        else ofQuestion.push(rule);
      }
    }
  }
  let conditions = 0;
  let failures = 0;
  for (const [id, ofQuestion] of rulesByQuestion) {
    const limit =
      (conditions > LIMITS.conditions && TOO_MANY) || (failures > MAX_FAILURES && TOO_MANY_FAILURES) || undefined;
    if (limit !== undefined) {
      for (const rule of ofQuestion) reject(rule, limit);
      continue;
    }
    const entries = writeShown(id, ofQuestion, reject);
    conditions += countConditions(entries);
    if (entries.length === 0) failures += 1;
    written.push(...entries);
  }
  return written;
}

/** One `show` entry for all rules of a question. If it is too large, each rule becomes a `hide` entry. */
function writeShown<Rule extends LogicRule>(id: string, rules: readonly Rule[], reject: Reject<Rule>): Written<Rule>[] {
  const combined = attempt(() => toTerms(all(...rules.map(({ when }) => when))));
  if ('value' in combined) return write(id, 'show', combined.value, rules);
  return rules.flatMap((rule) => {
    const negated = attempt(() => toTerms(not(rule.when)));
    if ('value' in negated) return write(id, 'hide', negated.value, [rule]);
    const shown = attempt(() => toTerms(rule.when));
    reject(rule, 'reason' in shown ? shown.reason : combined.reason);
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

/** Rejects rules that lint rejects or that exceed the limits of a survey. */
function rejectInvalid<Rule>(payload: JsonObject, written: readonly Written<Rule>[], reject: Reject<Rule>): void {
  if (written.length === 0) return;
  let conditions = 0;
  let bytes = 0;
  for (const one of written) {
    conditions += countConditions([one]);
    // Measure no further entries above the limit: each entry can contain a long list of options.
    if (bytes <= MAX_BYTES) bytes += JSON.stringify(one.entry).length;
    const reason = (conditions > LIMITS.conditions && TOO_MANY) || (bytes > MAX_BYTES && TOO_LARGE) || undefined;
    if (reason !== undefined) for (const rule of one.from) reject(rule, reason);
  }
  if (conditions > LIMITS.conditions || bytes > MAX_BYTES) return;
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const { lint } = compile({ ...payload, survey: { ...survey, logic: written.map(({ entry }) => entry) } });
  for (const { path, detail } of lint.errors) {
    const index = /^\/survey\/logic\/(\d+)/.exec(path)?.[1];
    for (const rule of index === undefined ? [] : (written[Number(index)]?.from ?? [])) reject(rule, detail);
  }
}

/** The converted value, or the reason why the conversion failed. */
function attempt<Value>(convert: () => Value): { readonly value: Value } | { readonly reason: string } {
  try {
    return { value: convert() };
  } catch (error) {
    if (error instanceof NotConvertedError) return { reason: error.message };
    throw error;
  }
}
