import { isObject, type JsonObject } from '../json.ts';

/** A valid survey, which the examples of lint codes change. */
export const EXAMPLE_SURVEY = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'ate', type: 'single_choice', title: 'Did you eat?', options: ['yes', 'no'], required: true },
          { id: 'dish', type: 'text', title: 'What did you eat?' },
        ],
      },
      { questions: [{ id: 'taste', type: 'rating', title: 'How was it?', required: true }] },
    ],
  },
};

/** Applies a JSON merge patch (RFC 7396). This package cannot import the function of `lib/runtime`. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** The example survey with a JSON merge patch, given as JSON text. */
export function exampleWith(patch: string): JsonObject {
  const changed = mergePatch(EXAMPLE_SURVEY, JSON.parse(patch));
  return isObject(changed) ? changed : {};
}
