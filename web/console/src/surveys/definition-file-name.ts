import type { DefinitionChoice } from './definition-search.ts';

/** The name of the file with a definition. A draft has the number of the version that it is based on. */
export function definitionFileName(surveyId: string, choice: DefinitionChoice, version: number): string {
  return `survey-${surveyId}-${version}${choice === 'draft' ? '-draft' : ''}.json`;
}
