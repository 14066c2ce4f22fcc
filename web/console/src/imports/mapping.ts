import type { ImportPlan, ImportPlanColumn, ImportPlanTarget } from '@survey/client';
import { shorten } from '@survey/questionnaire/shorten';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import type { ImportForm } from './import-form.ts';
import { toTableQuery } from './import-settings.ts';

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

/** Maximum size of the body of a request for a plan. */
const MAX_BYTES = 1024 * 1024;

/**
 * Asks the platform how it would import a file. Sends the first megabyte of the file, and sends it again after each
 * change that affects the plan.
 */
export function usePlan(form: ImportForm) {
  const client = useClient();
  const { file, target, surveyId } = form;
  const query = toPlanQuery(form);
  const key = toPlanKey(form);
  return useQuery({
    queryKey: key,
    enabled: file !== undefined && (target === 'survey' || surveyId !== ''),
    // Keep showing the mapping while the platform checks the changed target of a column.
    placeholderData: (previous: ImportPlan | undefined, previousQuery) =>
      isOfSameFile(previousQuery?.queryKey, key) ? keepPreviousData(previous) : undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => {
      if (file === undefined) throw new Error('there is no file to plan');
      const head = file.slice(0, MAX_BYTES);
      return target === 'survey'
        ? client.imports.planSurvey(head, query as object, { signal })
        : client.imports.planResponse(surveyId, head, query as object, { signal });
    },
  });
}

/**
 * The key of a plan. It contains everything that the plan depends on: the file, the target, its survey, and the query.
 */
export function toPlanKey(form: ImportForm): readonly unknown[] {
  const { file, target, surveyId } = form;
  const content = file && [file.name, file.size, file.lastModified];
  return ['import-plan', content, target, target === 'survey' ? '' : surveyId, toPlanQuery(form)];
}

/** Whether two keys are of plans for the same file, import target and survey. Their queries can differ. */
export function isOfSameFile(before: readonly unknown[] | undefined, after: readonly unknown[]): boolean {
  return before !== undefined && JSON.stringify(before.slice(0, -1)) === JSON.stringify(after.slice(0, -1));
}

function toPlanQuery({ file, target, settings, isFormatChosen }: ImportForm) {
  const { source, format, language } = settings;
  return removeUndefined({
    filename: file?.name,
    ...(isFormatChosen ? { source, format } : {}),
    ...toTableQuery(settings),
    language: target === 'survey' ? language.trim() || undefined : undefined,
  });
}
