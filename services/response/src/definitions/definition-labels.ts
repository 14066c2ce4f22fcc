import { type Labels, readLabels } from '@survey/questionnaire/labels';
import type { Snapshot } from './definition.ts';

/**
 * The texts of a version.
 *
 * @param language a language tag (default: the first declared language)
 */
export function labelsOf(
  { schemaVersion, version, definition }: Pick<Snapshot, 'schemaVersion' | 'version' | 'definition'>,
  language?: string,
): Labels {
  return readLabels({ schema_version: schemaVersion, version, survey: definition }, language);
}
