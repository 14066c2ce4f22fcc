import type { JsonObject } from '@bufbuild/protobuf';
import type { WarnOnce } from '../files/report.ts';
import type { DraftRule, DraftSection, DraftStep } from './draft.ts';
import { convertJumps, type Jump } from './logic/convert-jumps.ts';
import { convertRules } from './logic/convert-rules.ts';
import { countValues, NotConvertedError, orUnknown } from './logic/formula.ts';
import { questionsOf } from './source-questions.ts';

/** The logic of a draft. */
interface DraftLogic {
  readonly rules: readonly DraftRule[];
  readonly steps: readonly DraftStep[];
  readonly jumps: readonly Jump[];
}

/** The converted logic. */
interface ConvertedLogic {
  readonly entries: readonly JsonObject[];
  /** Ids of the questions with logic that is not converted. They are always shown, and optional. */
  readonly alwaysShown: ReadonlySet<string>;
  /** Rules that are not converted, for `source_data`, by the id of their question or section. */
  readonly kept: ReadonlyMap<string, JsonObject>;
  /** Whether all jumps are converted. */
  readonly hasAllJumps: boolean;
}

interface Unsupported {
  readonly rule: DraftRule;
  readonly reason: string;
}

/** Maximum characters of all conditions. A survey can have 5,000 conditions, and each character takes time. */
const MAX_CHARACTERS = 500_000;
/** Maximum values of all conditions. A few characters can stand for all options of a question. */
const MAX_VALUES = 1_000_000;
const TOO_MUCH = `the conditions of the survey have more than ${MAX_CHARACTERS} characters or ${MAX_VALUES} values`;
const NO_FILES = 'responses are imported without their files';

/**
 * Converts logic, and warns about the logic that has no equivalent.
 *
 * @param payload the survey without logic
 */
export function convertLogic(
  { rules, steps, jumps }: DraftLogic,
  payload: JsonObject,
  sectionIds: ReadonlyMap<DraftSection, string>,
  warnOnce: WarnOnce,
): ConvertedLogic {
  const converted = convertRules(toLogicRules(rules, fileQuestionsOf(payload), sectionIds), payload);
  const unsupported = converted.unsupported.map(({ rule, reason }) => ({ rule: rule.from, reason }));
  for (const one of unsupported) warnOfRule(one, warnOnce);
  const jumped = convertJumps(steps, jumps);
  const stepsByKey = new Map(steps.map((step) => [step.key, step]));
  const unprovenSteps = jumped.unproven.map(({ step, reason }) => {
    const { at = '', questions = [] } = stepsByKey.get(step) ?? {};
    const detail = `The jumps to this question cannot be converted: ${reason}. It is always shown and not required`;
    warnOnce(step, { path: at, code: 'LOGIC_NOT_CONVERTED', detail });
    return questions.map(({ id }) => String(id));
  });
  const lostTexts = jumped.conditionalTexts.map((key) => stepsByKey.get(key)?.at ?? '').filter((at) => at !== '');
  for (const path of lostTexts) {
    const detail = 'Jumps that skip a text are not converted; a text is shown with the questions after it';
    warnOnce('text', { path, code: 'LOGIC_NOT_CONVERTED', detail });
  }
  const unhidden = unsupported.flatMap(({ rule }) => (rule.action === 'require' ? [] : rule.questions));
  return {
    entries: [...converted.logic, ...jumped.logic],
    alwaysShown: new Set([...unhidden, ...unprovenSteps.flat()]),
    kept: sourcesOf(unsupported, sectionIds),
    hasAllJumps: unprovenSteps.length + lostTexts.length === 0,
  };
}

function fileQuestionsOf(payload: JsonObject): ReadonlySet<string> {
  return new Set(questionsOf(payload).flatMap(({ id, type }) => (type === 'file_upload' ? [String(id)] : [])));
}

/** Converts the conditions of rules, until there are too many. */
function toLogicRules(
  rules: readonly DraftRule[],
  fileQuestions: ReadonlySet<string>,
  sectionIds: ReadonlyMap<DraftSection, string>,
) {
  let [charactersLeft, valuesLeft] = [MAX_CHARACTERS, MAX_VALUES];
  return rules.map((rule) => {
    const { action, questions } = rule;
    if (typeof rule.source === 'string') charactersLeft -= rule.source.length;
    const when = orUnknown(() => {
      if (charactersLeft < 0 || valuesLeft < 0) throw new NotConvertedError(TOO_MUCH);
      if (action === 'require' && questions.some((id) => fileQuestions.has(id))) throw new NotConvertedError(NO_FILES);
      return rule.when();
    });
    valuesLeft -= countValues(when);
    const section = rule.section && sectionIds.get(rule.section);
    return { action, questions, when, from: rule, ...(section === undefined ? {} : { section }) };
  });
}

function warnOfRule({ rule, reason }: Unsupported, warnOnce: WarnOnce): void {
  const { questions, at, member } = rule;
  const [first, ...more] = questions;
  const subject = more.length === 0 ? first : `${first} and ${more.length} more`;
  const effect = subject === undefined ? reason : `${subject} is always shown and not required: ${reason}`;
  const detail = member === undefined ? effect : `${member} cannot be converted: ${reason}. It is kept in source_data`;
  warnOnce(`${at} ${reason}`, { path: at, code: 'LOGIC_NOT_CONVERTED', detail });
}

/** The sources of rules, by the id of the section or first question. */
function sourcesOf(
  unsupported: readonly Unsupported[],
  sectionIds: ReadonlyMap<DraftSection, string>,
): ReadonlyMap<string, JsonObject> {
  const kept = new Map<string, JsonObject>();
  for (const { rule } of unsupported) {
    const { questions, section, source, member } = rule;
    const owner = (section === undefined ? questions[0] : sectionIds.get(section)) ?? '';
    const before = kept.get(owner) ?? {};
    const list = Array.isArray(before['logic']) ? before['logic'] : [];
    kept.set(owner, { ...before, ...(member === undefined ? { logic: [...list, source] } : { [member]: source }) });
  }
  return kept;
}
