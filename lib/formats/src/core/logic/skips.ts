import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type Formula, type Term, toTerms } from './formula.ts';
import { NotConvertedError } from './not-converted.ts';

/** A conditional jump over the questions between two questions. */
export interface SkipJump {
  /** Id of the question before the jump. */
  readonly from: string;
  /** Id of the next question; undefined for the end of the survey. */
  readonly to: string | undefined;
  /** Ids of the questions that may be skipped. */
  readonly questions: readonly string[];
  /** Converts the condition of the jump. Throws `NotConvertedError`. */
  readonly when: () => Formula;
  /** Location in the file. */
  readonly at: string;
  /** The jump as in the file. */
  readonly source: JsonValue;
}

interface UnsupportedSkip {
  readonly skip: SkipJump;
  readonly reason: string;
}

/** A jump with its logic entries. */
interface Written {
  readonly jump: SkipJump;
  readonly entries: readonly JsonObject[];
}

/** Maximum questions that jumps affect. The other half of the limit is for other logic. */
const MAX_AFFECTED = LIMITS.affectedQuestions / 2;

/**
 * Appends jumps to the logic of a survey as `skip_to` entries, one for each alternative of a jump's condition.
 *
 * @param ids ids of all questions, in order
 * @param payload the survey without logic
 */
export function writeSkips(
  jumps: readonly SkipJump[],
  logic: readonly JsonObject[],
  ids: readonly string[],
  payload: JsonObject,
): { readonly logic: readonly JsonObject[]; readonly unsupported: readonly UnsupportedSkip[] } {
  const unsupported: UnsupportedSkip[] = [];
  const reject = (skip: SkipJump, reason: string) => unsupported.push({ skip, reason });
  const positions = new Map(ids.map((id, position) => [id, position]));
  let conditionsLeft = LIMITS.conditions - countConditions(logic);
  let affected = 0;
  const written: Written[] = [];
  for (const jump of jumps) {
    try {
      if (conditionsLeft <= 0 || affected > MAX_AFFECTED)
        throw new NotConvertedError('the survey has more logic than is allowed');
      const entries = entriesOf(jump, toTerms(jump.when()), ids, positions);
      if (entries.length === 0) continue;
      conditionsLeft -= countConditions(entries);
      affected += jump.questions.length * entries.length;
      if (conditionsLeft < 0) throw new NotConvertedError(`the survey has more than ${LIMITS.conditions} conditions`);
      written.push({ jump, entries });
    } catch (error) {
      if (!(error instanceof NotConvertedError)) throw error;
      reject(jump, error.message);
    }
  }
  const invalid = findInvalid(written, logic, payload);
  for (const [{ jump }, reason] of invalid) reject(jump, reason);
  const validEntries = written.filter((one) => !invalid.has(one)).flatMap(({ entries }) => entries);
  return { logic: [...logic, ...validEntries], unsupported };
}

function entriesOf(
  { from, to }: SkipJump,
  terms: readonly Term[],
  ids: readonly string[],
  positions: ReadonlyMap<string, number>,
): readonly JsonObject[] {
  const start = positions.get(from) ?? ids.length;
  const end = to === undefined ? ids.length - 1 : (positions.get(to) ?? start);
  const target = ids[end];
  if (target === undefined) return [];
  return terms.flatMap((term) => {
    const conditions = term.map(({ source, operator, value }) => ({
      source_question: source,
      operator,
      ...(value === undefined ? {} : { value }),
    }));
    const hasQuestionsBetween = end > start + 1;
    const isLast = to === undefined && end > start;
    return [
      ...(hasQuestionsBetween ? [{ question_id: from, target_question: target, action: 'skip_to', conditions }] : []),
      // `skip_to` needs a target question, so the last question is hidden separately.
      ...(isLast ? [{ question_id: target, action: 'hide', conditions }] : []),
    ];
  });
}

/** Finds the jumps whose entries lint rejects, with the reasons. */
function findInvalid(
  written: readonly Written[],
  logic: readonly JsonObject[],
  payload: JsonObject,
): ReadonlyMap<Written, string> {
  const entries = written.flatMap((one) => one.entries.map((entry) => ({ one, entry })));
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const all = [...logic, ...entries.map(({ entry }) => entry)];
  const invalid = new Map<Written, string>();
  for (const { path, detail } of compile({ ...payload, survey: { ...survey, logic: all } }).lint.errors) {
    const index = Number(/^\/survey\/logic\/(\d+)/.exec(path)?.[1]) - logic.length;
    const found = entries[index]?.one;
    if (found !== undefined) invalid.set(found, detail);
  }
  return invalid;
}

function countConditions(entries: readonly JsonObject[]): number {
  return entries.reduce((sum, { conditions }) => sum + (Array.isArray(conditions) ? conditions.length : 0), 0);
}
