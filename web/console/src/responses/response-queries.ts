import type { Client, Link, ResponseFile, SurveyResponse } from '@survey/client';
import type { Definition } from '@survey/questionnaire';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { surveyKey } from '../surveys/use-survey.ts';
import { MAX_CHOICES } from '../ui/fields.tsx';

/**
 * Loads the definitions of versions. A version that is still loading, or cannot be loaded, is absent: show ids in this
 * case. Versions never change, so each is loaded once.
 */
export function useDefinitions(surveyId: string, versions: readonly number[]): ReadonlyMap<number, Definition> {
  const client = useClient();
  return useQueries({
    queries: versions.map((version) => definitionQuery(client, surveyId, version)),
    combine: (results) =>
      new Map(
        versions.flatMap((version, index) => {
          const definition = results[index]?.data;
          return definition === undefined ? [] : [[version, definition] as const];
        }),
      ),
  });
}

/** Loads the definition of a version. */
export function useVersionDefinition(surveyId: string, version: number): UseQueryResult<Definition> {
  return useQuery(definitionQuery(useClient(), surveyId, version));
}

function definitionQuery(client: Client, surveyId: string, version: number) {
  return {
    queryKey: [...surveyKey(surveyId), 'version', version],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Definition> => {
      const { definition } = await client.surveys.getVersion(surveyId, version, { signal });
      if (definition === undefined) throw new Error('The version has no definition.');
      return definition;
    },
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The newest links of a survey, at most `MAX_CHOICES`; none without the permission to read them. */
export function useLinks(surveyId: string): readonly Link[] {
  const client = useClient();
  const can = useCan();
  const { data } = useQuery({
    queryKey: [...surveyKey(surveyId), 'all-links'],
    queryFn: ({ signal }) => client.links.list(surveyId, { limit: MAX_CHOICES }, { signal }).page(),
    enabled: can('links:read'),
  });
  return data?.items ?? [];
}

/** A response with its `ETag`, to send as `ifMatch` with changes. */
export interface LoadedResponse {
  readonly response: SurveyResponse;
  readonly etag: string | undefined;
}

/** The key of all queries about a response. */
export function responseKey(responseId: string): readonly string[] {
  return ['response', responseId];
}

export function useResponse(responseId: string): UseQueryResult<LoadedResponse> {
  const client = useClient();
  return useQuery({
    queryKey: [...responseKey(responseId), 'response'],
    queryFn: ({ signal }) => loadResponse(client, responseId, signal),
  });
}

/** Loads a response when a form opens. While the form is open, only the user can load it again. */
export function useResponseToEdit(responseId: string): UseQueryResult<LoadedResponse> {
  const client = useClient();
  return useQuery({
    queryKey: [...responseKey(responseId), 'to-edit'],
    queryFn: ({ signal }) => loadResponse(client, responseId, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function loadResponse(client: Client, responseId: string, signal: AbortSignal): Promise<LoadedResponse> {
  const { data, response } = await client.responses.get(responseId, { signal }).withResponse();
  return { response: data, etag: response.headers.get('etag') ?? undefined };
}

/** The files of a response by id. */
export function useResponseFiles(responseId: string): UseQueryResult<ReadonlyMap<string, ResponseFile>> {
  const client = useClient();
  return useQuery({
    queryKey: [...responseKey(responseId), 'files'],
    queryFn: async ({ signal }) => {
      const files = await client.responses.listFiles(responseId, { signal });
      return new Map(files.map((file) => [file.file_id, file]));
    },
  });
}
