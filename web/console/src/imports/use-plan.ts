import type { ImportPlan } from '@survey/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import type { ImportForm } from './import-form.ts';
import { toTableQuery } from './import-settings.ts';

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
