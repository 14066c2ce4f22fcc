import type { ImportPlan } from '@survey/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import type { Target } from './import-formats.ts';
import { type ImportSettings, toTableQuery } from './import-settings.ts';

/** Maximum size of a plan's body. */
const MAX_BYTES = 1024 * 1024;

interface PlanInput {
  readonly file: File | undefined;
  readonly target: Target;
  /** The survey of responses; empty if none is chosen. */
  readonly surveyId: string;
  readonly settings: ImportSettings;
  /** Whether the user has chosen source and format; otherwise the plan guesses them. */
  readonly isChosen: boolean;
}

/** Asks the platform how it would import a file: with the first megabyte, again after each change that matters. */
export function usePlan({ file, target, surveyId, settings, isChosen }: PlanInput) {
  const client = useClient();
  const { source, format, language } = settings;
  const table = toTableQuery(settings);
  const chosen = isChosen ? { source, format } : {};
  const content = file && [file.name, file.size, file.lastModified];
  return useQuery({
    queryKey: ['import-plan', content, target, surveyId, chosen, table],
    enabled: file !== undefined && (target === 'survey' || surveyId !== ''),
    // The mapping stays while a changed target is checked.
    placeholderData: (previous: ImportPlan | undefined, query) =>
      isSameFile(query?.queryKey, content, target) ? keepPreviousData(previous) : undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => {
      if (file === undefined) throw new Error('there is no file to plan');
      const head = file.slice(0, MAX_BYTES);
      const query = { filename: file.name, ...chosen, ...table };
      return target === 'survey'
        ? client.imports.planSurvey(head, removeUndefined({ ...query, language: language || undefined }) as object, {
            signal,
          })
        : client.imports.planResponse(surveyId, head, query as object, { signal });
    },
  });
}

function isSameFile(key: readonly unknown[] | undefined, content: unknown, target: Target): boolean {
  return key !== undefined && key[2] === target && JSON.stringify(key[1]) === JSON.stringify(content);
}
