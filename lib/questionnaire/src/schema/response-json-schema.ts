import { UNANSWERED } from '../answers/answer-json-schema.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { type JsonObject, setMember } from '../json.ts';
import { lookUpOrder, textIn } from '../labels.ts';
import type { LogicProgram } from '../logic/compile-logic.ts';

/**
 * Creates the JSON Schema (2020-12) of the answers of a completed response.
 *
 * JSON Schema cannot express logic. So a question that logic can hide is not required. If logic can disqualify
 * respondents, no question is required. Answers to hidden questions are dropped, but must fit the schema.
 */
export function createResponseJsonSchema(
  questions: readonly CompiledQuestion[],
  { visibility, disqualify }: LogicProgram,
  languages: readonly string[],
): JsonObject {
  const hideable = new Set(visibility.map(({ position }) => position));
  const isRequired = ({ required, position }: CompiledQuestion): boolean =>
    required && disqualify.length === 0 && !hideable.has(position);

  const tags = lookUpOrder(languages);
  const properties: Record<string, JsonObject> = {};
  for (const question of questions) {
    const required = isRequired(question);
    const answer = question.rules.jsonSchema(required);
    setMember(properties, question.id, {
      ...titleOf(question.source.title, tags),
      ...(required ? { allOf: [answer, { not: UNANSWERED }] } : { anyOf: [answer, UNANSWERED] }),
    });
  }
  const required = questions.filter(isRequired).map(({ id }) => id);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Answers',
    description: 'The `data` of a completed response, by question id.',
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function titleOf(text: unknown, tags: readonly string[]): JsonObject {
  const title = textIn(tags, text);
  return title === undefined ? {} : { title };
}
