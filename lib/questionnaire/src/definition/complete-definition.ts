import { isAbsent, isObject, itemsOf, type JsonObject } from '../json.ts';

/**
 * Returns the definition with a generated id for every question without one. The input and everything else stay
 * unchanged, even if the shape is invalid (see `checkShape`).
 *
 * @param newId returns a new question id of 1 to 128 characters of `A-Z a-z 0-9 _ . -`
 */
export function completeDefinition(definition: JsonObject, newId: () => string): JsonObject {
  return withMember(definition, 'survey', (survey) =>
    withItems(survey, 'pages', (page) =>
      withItems(page, 'questions', (question) => (isAbsent(question.id) ? { ...question, id: newId() } : question)),
    ),
  );
}

function withMember(owner: JsonObject, name: string, change: (member: JsonObject) => JsonObject): JsonObject {
  const member = owner[name];
  return isObject(member) ? { ...owner, [name]: change(member) } : owner;
}

function withItems(owner: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  return Array.isArray(owner[name])
    ? { ...owner, [name]: itemsOf(owner[name]).map((item) => (isObject(item) ? change(item) : item)) }
    : owner;
}
