import { type Definition, localize } from '@survey/questionnaire';
import { displayLanguageOf } from '../ui/display-language.ts';

/** Returns the title of a survey in the language that suits the viewer best. */
export function surveyTitle(definition: Definition & { readonly title?: unknown }): string {
  return localize(definition, definition.title, displayLanguageOf(definition)) || 'Untitled survey';
}

/** The title of a survey, in the direction of its own script. */
export function SurveyTitle({ definition }: { readonly definition: Definition }) {
  return <bdi>{surveyTitle(definition)}</bdi>;
}
