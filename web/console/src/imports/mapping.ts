import type { ImportPlanColumn, ImportPlanTarget } from '@survey/client';
import { shorten } from '@survey/questionnaire/shorten';

/**
 * Explains the values of `found_by`: how the target of a column was found. `option` means that the user set it, with
 * the import option `columns`.
 */
const FOUND_BY_LABELS: Readonly<Record<string, string>> = {
  option: 'you',
  name: 'its name',
  title: 'the title',
  part: 'title and row or option',
  word: 'a common heading',
  values: 'its values',
};
/** Titles are cut off in lists of targets. */
const MAX_TITLE = 80;

/** The way in which a target was found, with its confidence in percent. */
export function describeFound({
  found_by: foundBy,
  confidence,
}: Pick<ImportPlanColumn, 'found_by' | 'confidence'>): string {
  const label = FOUND_BY_LABELS[foundBy];
  return label === undefined ? '' : `${label}, ${Math.round(confidence * 100)} %`;
}

/** The kinds of content of a column: `12 number, 3 empty`. */
export function describeContents(contents: Readonly<Record<string, number>>): string {
  return Object.entries(contents)
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

/** The name of a column in the option `columns`: its heading, or its position if the heading is empty or not unique. */
export function columnKey({ heading, column }: ImportPlanColumn, columns: readonly ImportPlanColumn[]): string {
  const isUnique = heading !== '' && columns.filter((one) => one.heading === heading).length === 1;
  return isUnique ? heading : `#${column}`;
}

/** Targets to choose from: not imported, the current one, and all others. */
export function targetOptions(targets: readonly ImportPlanTarget[], current: string) {
  const unlisted = targets.some(({ name }) => name === current) || current === '' ? [] : [{ name: current, title: '' }];
  return [
    { value: '', label: 'not imported' },
    ...[...unlisted, ...targets].map(({ name, title }) => ({
      value: name,
      label: title === '' ? name : `${shorten(title, MAX_TITLE)} (${name})`,
    })),
  ];
}

/** The given targets with those that the plan suggests; undefined if it suggests none. */
export function withSuggestions(
  columns: readonly ImportPlanColumn[],
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const suggested = columns.filter(({ suggestion }) => suggestion !== '');
  if (suggested.length === 0) return undefined;
  return {
    ...given,
    ...Object.fromEntries(suggested.map((column) => [columnKey(column, columns), column.suggestion])),
  };
}
