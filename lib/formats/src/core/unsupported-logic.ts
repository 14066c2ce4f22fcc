import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { WarnOnce } from '../files/report.ts';
import type { LogicRule } from './logic/to-logic.ts';
import { withSourceData } from './source-data.ts';

/** A rule of another tool, with its location in the file. */
export interface LocatedRule extends LogicRule {
  readonly path: string;
  /** The rule as in the file. */
  readonly source: JsonValue;
}

/** A rule that cannot be converted. */
export interface UnsupportedLogic extends Pick<LocatedRule, 'path' | 'source' | 'questions'> {
  readonly reason: string;
}

/**
 * Warns about unsupported rules. Returns the members of a survey with the converted logic, and with pages that keep the
 * unsupported rules.
 */
export function finishLogic(
  pages: readonly JsonObject[],
  logic: readonly JsonObject[],
  unsupported: readonly UnsupportedLogic[],
  warnOnce: WarnOnce,
): JsonObject {
  for (const one of unsupported) {
    const { path, reason } = one;
    warnOnce(`${path} ${reason}`, { path, code: 'LOGIC_NOT_CONVERTED', detail: describeUnsupported(one) });
  }
  return {
    pages: keepUnsupportedLogic(pages, unsupported),
    ...(logic.length === 0 ? {} : { logic: [...logic] }),
  };
}

/**
 * Keeps unsupported rules as `source_data.logic` of their questions. These questions become optional, because some
 * respondents may not have seen them. `source_data.required` records that a question was required.
 */
function keepUnsupportedLogic(pages: readonly JsonObject[], unsupported: readonly UnsupportedLogic[]): JsonObject[] {
  const optional = new Set<string>();
  for (const { questions } of unsupported) for (const id of questions) optional.add(id);
  // A rule for several questions is kept with the first question. A rule without questions is only reported.
  const rulesByFirstQuestion = Map.groupBy(unsupported, ({ questions }) => questions[0]);
  const keep = (question: JsonValue): JsonValue => {
    if (!isObject(question) || !optional.has(String(question['id']))) return question;
    const own = rulesByFirstQuestion.get(String(question['id'])) ?? [];
    const kept = {
      ...(own.length === 0 ? {} : { logic: own.map(({ source }) => source) }),
      ...(question['required'] === true ? { required: true } : {}),
    };
    return { ...withSourceData(question, kept), required: false };
  };
  return pages.map((page) => {
    const questions = page['questions'];
    return Array.isArray(questions) ? { ...page, questions: questions.map(keep) } : page;
  });
}

/** Describes why a rule is not supported, and the effect on its questions. */
function describeUnsupported({ questions, reason }: UnsupportedLogic): string {
  const [first, ...more] = questions;
  const subject = more.length === 0 ? String(first) : `${first} and ${more.length} more`;
  return first === undefined ? reason : `${subject} is always shown and not required: ${reason}`;
}
