import type { JsonObject } from '../../json.ts';
import { surveyOf } from '../survey-of.ts';
import { answerOf, type PlainAnswers, type PlainRule, type PlainSurvey } from './plain-survey.ts';

/** Converts a plain survey to our definition. A rule with several targets uses a section. */
export function toDefinition({ questions, rules }: PlainSurvey): JsonObject {
  const sections = rules.map(({ targets }, index) => ({ id: sectionId(index), title: 'S', question_ids: targets }));
  return surveyOf(
    questions.map(({ id, kind, required }) => ({ id, required, ...kind.ours })),
    { sections, logic: rules.map(toEntry) },
  );
}

export function toData({ questions }: PlainSurvey, answers: PlainAnswers): JsonObject {
  return Object.fromEntries(questions.map((question) => [question.id, answerOf(question, answers)?.ours ?? null]));
}

function sectionId(rule: number): string {
  return `section-${rule}`;
}

function toEntry(rule: PlainRule, index: number): JsonObject {
  const { action, match, targets, conditions, form } = rule;
  if (action === 'skip') return { ...skipOf(targets), match, action: 'skip_to', conditions: conditions.map(toLong) };
  if (action === 'disqualify') return { match, action, conditions: conditions.map(toLong) };
  const [only, ...others] = targets;
  const target = others.length === 0 ? only : sectionId(index);
  return form === 'long'
    ? { match, question_id: target, conditions: conditions.map((condition) => ({ ...toLong(condition), action })) }
    : {
        match,
        action,
        conditions: conditions.map((condition) => ({ ...toShort(condition), target_question: target })),
      };
}

/** A skip from the question before the hidden ones to the one after them. */
function skipOf(targets: readonly string[]): JsonObject {
  const positions = targets.map((id) => Number(id.slice(1)));
  return { question_id: `q${Math.min(...positions) - 1}`, target_question: `q${Math.max(...positions) + 1}` };
}

function toLong({ source, operator, value }: PlainRule['conditions'][number]): JsonObject {
  return {
    source_question: source,
    operator,
    ...(value === undefined ? {} : { value }),
  };
}

function toShort({ source, operator, value }: PlainRule['conditions'][number]): JsonObject {
  return {
    question_id: source,
    operator,
    ...(value === undefined ? {} : { value }),
  };
}
