import { type Definition, localize } from '@survey/questionnaire';

/** Returns the title of a survey in the language of the browser, or in another one that it has. */
export function titleOf(definition: Definition & { readonly title?: unknown }): string {
  return localize(definition, definition.title, navigator.language) || 'Untitled survey';
}

/** The title of a survey, in the direction of its own script. */
export function SurveyTitle({ definition }: { readonly definition: Definition }) {
  return <bdi>{titleOf(definition)}</bdi>;
}
