import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { LogicRule } from '../conditions/to-logic.ts';
import { withSource } from './source-data.ts';

/** A rule of a tool, and where it stands in the file. */
export interface PlacedRule extends LogicRule {
  readonly path: string;
  /** How it is written there. */
  readonly source: JsonValue;
}

/** A rule that has no equal here. */
export interface LostLogic extends Pick<PlacedRule, 'path' | 'source' | 'questions'> {
  readonly reason: string;
}

/**
 * The pages without the rules that were lost: the questions keep them as `source_data.logic`, and none of them is
 * required (`source_data.required`), for who never saw it there could not answer it.
 */
export function keepLostLogic(pages: readonly JsonObject[], lost: readonly LostLogic[]): JsonObject[] {
  const released = new Set<string>();
  for (const { questions } of lost) for (const id of questions) released.add(id);
  // A rule of many questions stays with the first of them.
  const ofQuestion = Map.groupBy(lost, ({ questions }) => questions[0]);
  const keep = (question: JsonValue): JsonValue => {
    if (!isObject(question) || !released.has(String(question['id']))) return question;
    const own = ofQuestion.get(String(question['id'])) ?? [];
    const kept = {
      ...(own.length === 0 ? {} : { logic: own.map(({ source }) => source) }),
      ...(question['required'] === true ? { required: true } : {}),
    };
    return { ...withSource(question, kept), required: false };
  };
  return pages.map((page) => {
    const questions = page['questions'];
    return Array.isArray(questions) ? { ...page, questions: questions.map(keep) } : page;
  });
}

/** Why a rule was lost, and what comes of that. */
export function describeLost({ questions, reason }: LostLogic): string {
  const [first, ...more] = questions;
  const which = more.length === 0 ? String(first) : `${first} and ${more.length} more`;
  return first === undefined ? reason : `${which} is shown without it, and not required: ${reason}`;
}
