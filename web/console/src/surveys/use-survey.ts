import type { DefinitionReport, Survey, SurveyDefinition } from '@survey/client';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';

/** A survey with its `ETag`, to send as `ifMatch` with changes. */
export interface SurveyRecord {
  readonly survey: Survey;
  readonly etag: string;
}

/** A definition as a payload: the form in which it is validated, edited and imported. */
export interface DefinitionPayload {
  readonly schema_version: string;
  readonly version: number;
  readonly survey: SurveyDefinition;
}

/** A definition of a survey: the draft, a version by its number, or the latest version (undefined). */
export type DefinitionChoice = 'draft' | number | undefined;

/** The beginning of keys of queries about a survey. `useInvalidateSurvey` invalidates them. */
export function surveyKey(surveyId: string): readonly unknown[] {
  return ['survey', surveyId];
}

/** Loads a survey. */
export function useSurvey(surveyId: string): UseQueryResult<SurveyRecord> {
  const client = useClient();
  return useQuery({
    queryKey: [...surveyKey(surveyId), 'record'],
    queryFn: async ({ signal }) => {
      const { data, response } = await client.surveys.get(surveyId, { signal }).withResponse();
      return { survey: data, etag: response.headers.get('etag') ?? '*' };
    },
  });
}

/** Returns the choice, or the latest version if the choice is a draft that no longer exists. */
export function availableChoice(survey: Survey, choice: DefinitionChoice): DefinitionChoice {
  return choice === 'draft' && !survey.has_draft ? undefined : choice;
}

interface DefinitionOptions {
  /** Whether the last definition stays until another one of the same survey is loaded (default false). */
  readonly keepsPrevious?: boolean;
}

/** Loads a definition of a survey. A draft has the number of the version that it is based on. */
export function useDefinition(
  survey: Survey,
  choice: DefinitionChoice,
  { keepsPrevious = false }: DefinitionOptions = {},
): UseQueryResult<DefinitionPayload> {
  const client = useClient();
  return useQuery({
    // Versions never change. `updated_at` changes when a draft is saved or published.
    queryKey: ['definition', survey.id, choice, typeof choice === 'number' ? 0 : survey.updated_at],
    queryFn: async ({ signal }) => {
      if (choice === 'draft') {
        const draft = await client.surveys.getDraft(survey.id, { signal });
        return { schema_version: draft.schema_version, version: draft.based_on, survey: draft.definition };
      }
      const isLatest = choice === undefined || choice === survey.version;
      const { schema_version, version, definition } = isLatest
        ? survey
        : await client.surveys.getVersion(survey.id, choice, { signal });
      if (definition === undefined) throw new Error('The version has no definition.');
      return { schema_version, version, survey: definition };
    },
    placeholderData: (previous, query) => (keepsPrevious && query?.queryKey[1] === survey.id ? previous : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Validates a definition of a survey. Waits as long as the payload is undefined. */
export function useReport(survey: Survey, payload: DefinitionPayload | undefined): UseQueryResult<DefinitionReport> {
  const client = useClient();
  return useQuery({
    queryKey: ['report', survey.id, payload],
    queryFn: ({ signal }) =>
      payload?.survey === survey.definition
        ? client.surveys.validate(survey.id, { signal })
        : client.surveys.validatePayload({ ...payload }, { signal }),
    enabled: payload !== undefined,
  });
}

/** Describes numbers of errors and warnings, such as `1 error, 2 warnings`. */
export function describeFindings({ errors, warnings }: Pick<DefinitionReport, 'errors' | 'warnings'>): string {
  const parts = [count(errors.length, 'error'), count(warnings.length, 'warning')].filter((part) => part !== '');
  return parts.length === 0 ? 'no errors or warnings' : parts.join(', ');
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns a function to call after a change of a survey: lists and pages load it again. */
export function useInvalidateSurvey(): (surveyId?: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (surveyId) => {
    void queryClient.invalidateQueries({ queryKey: ['surveys'] });
    if (surveyId !== undefined) await queryClient.invalidateQueries({ queryKey: surveyKey(surveyId) });
  };
}
