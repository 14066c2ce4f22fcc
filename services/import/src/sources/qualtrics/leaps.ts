import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type Formula, type Term, toTerms } from '../../conditions/formula.ts';
import { NotConverted } from '../../conditions/not-converted.ts';
import type { LostLogic } from '../lost-logic.ts';

/** Leaves out all questions from one to another when a formula holds. */
export interface Leap extends Omit<LostLogic, 'reason'> {
  /** Id of the question that is left. */
  readonly from: string;
  /** Id of the question that it goes on with; undefined at the end of the survey. */
  readonly to: string | undefined;
  /** When it is taken. Throws `NotConverted`. */
  convert(): Formula;
}

interface Written {
  readonly leap: Leap;
  readonly entries: readonly JsonObject[];
}

/** Room for what other logic affects. */
const MAX_AFFECTED = LIMITS.affectedQuestions / 2;

/**
 * Writes leaps behind the logic of a survey, as `skip_to`: an entry for each, however many questions it leaves out.
 *
 * @param ids of all questions, in their order
 * @param payload the survey without its logic
 */
export function writeLeaps(
  leaps: readonly Leap[],
  logic: readonly JsonObject[],
  ids: readonly string[],
  payload: JsonObject,
): { readonly logic: readonly JsonObject[]; readonly lost: readonly LostLogic[] } {
  const lost: LostLogic[] = [];
  const lose = ({ path, source, questions }: Leap, reason: string) => lost.push({ path, source, questions, reason });
  const positions = new Map(ids.map((id, position) => [id, position]));
  let room = LIMITS.conditions - countConditions(logic);
  let affected = 0;
  const written: Written[] = [];
  for (const leap of leaps) {
    try {
      if (room <= 0 || affected > MAX_AFFECTED)
        throw new NotConverted('the survey has more logic than it may have here');
      const entries = entriesOf(leap, toTerms(leap.convert()), ids, positions);
      if (entries.length === 0) continue;
      room -= countConditions(entries);
      affected += leap.questions.length * entries.length;
      if (room < 0) throw new NotConverted(`the survey has more than ${LIMITS.conditions} conditions`);
      written.push({ leap, entries });
    } catch (error) {
      if (!(error instanceof NotConverted)) throw error;
      lose(leap, error.message);
    }
  }
  const wrong = findWrong(written, logic, payload);
  for (const [{ leap }, reason] of wrong) lose(leap, reason);
  const kept = written.filter((one) => !wrong.has(one)).flatMap(({ entries }) => entries);
  return { logic: [...logic, ...kept], lost };
}

function entriesOf(
  { from, to }: Leap,
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
    const between = end > start + 1;
    const isLast = to === undefined && end > start;
    return [
      ...(between ? [{ question_id: from, target_question: target, action: 'skip_to', conditions }] : []),
      // A skip goes on with a question, so the last one is hidden by itself.
      ...(isLast ? [{ question_id: target, action: 'hide', conditions }] : []),
    ];
  });
}

/** What lint refuses, and why. */
function findWrong(
  written: readonly Written[],
  logic: readonly JsonObject[],
  payload: JsonObject,
): ReadonlyMap<Written, string> {
  const entries = written.flatMap((one) => one.entries.map((entry) => ({ one, entry })));
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const all = [...logic, ...entries.map(({ entry }) => entry)];
  const wrong = new Map<Written, string>();
  for (const { path, detail } of compile({ ...payload, survey: { ...survey, logic: all } }).lint.errors) {
    const index = Number(/^\/survey\/logic\/(\d+)/.exec(path)?.[1]) - logic.length;
    const found = entries[index]?.one;
    if (found !== undefined) wrong.set(found, detail);
  }
  return wrong;
}

function countConditions(entries: readonly JsonObject[]): number {
  return entries.reduce((sum, { conditions }) => sum + (Array.isArray(conditions) ? conditions.length : 0), 0);
}
