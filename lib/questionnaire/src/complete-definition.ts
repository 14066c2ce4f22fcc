import { isAbsent, isObject, itemsOf, type JsonObject } from './json.ts';

/**
 * Gives every question without an `id` one, as is done when a definition is saved.
 *
 * Everything else stays deep-equal and in the form it came in; the input is not changed. A definition whose
 * shape does not hold comes back as far as it can be read (see `checkShape`).
 *
 * @param newId makes an id that no question of the survey has, of 1-128 characters of `A-Z a-z 0-9 _ . -`
 */
export const completeDefinition = (definition: JsonObject, newId: () => string): JsonObject =>
  withMember(definition, 'survey', (survey) =>
    withItems(survey, 'pages', (page) =>
      withItems(page, 'questions', (question) => (isAbsent(question.id) ? { ...question, id: newId() } : question)),
    ),
  );

const withMember = (owner: JsonObject, name: string, change: (member: JsonObject) => JsonObject): JsonObject => {
  const member = owner[name];
  return isObject(member) ? { ...owner, [name]: change(member) } : owner;
};

const withItems = (owner: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject =>
  Array.isArray(owner[name])
    ? { ...owner, [name]: itemsOf(owner[name]).map((item) => (isObject(item) ? change(item) : item)) }
    : owner;
