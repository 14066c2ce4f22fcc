import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { Response } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { openSettings } from './test-definition.ts';

/** A version of a survey with these questions on one page. `survey` overrides members of the definition. */
export function newDefinition(
  questions: readonly JsonObject[],
  { version = 1, survey = {} }: { readonly version?: number; readonly survey?: JsonObject } = {},
): CompiledSurvey {
  const page = { questions: questions.map((question) => ({ title: 'Question', ...question })) };
  const definition: JsonObject = { title: 'Survey', supported_languages: ['en'], pages: [page], ...survey };
  const compiled = compile({ schema_version: '1.0', version, survey: definition });
  return {
    surveyId: randomUUID(),
    tenantId: toTenantId(randomUUID()),
    status: 'active',
    settings: openSettings,
    schemaVersion: '1.0',
    version,
    wasPublished: true,
    definition,
    size: 0,
    compiled: () => compiled,
  };
}

/** The numbers of these versions, and a function that finds a version. Pass the latest version first. */
export function versionsOf(definitions: readonly CompiledSurvey[]) {
  return {
    versions: definitions.map(({ version }) => version),
    async findVersion(version: number): Promise<CompiledSurvey> {
      const found = definitions.find((definition) => definition.version === version);
      if (found === undefined) throw new Error(`no version ${version}`);
      return found;
    },
  };
}

export function newResponse({ tenantId, surveyId, version }: CompiledSurvey, given: Partial<Response> = {}): Response {
  const time = new Date('2024-05-01T10:00:00.000Z');
  return {
    id: randomUUID(),
    tenantId,
    surveyId,
    surveyVersion: version,
    status: 'completed',
    createdAt: time,
    updatedAt: time,
    startedAt: undefined,
    completedAt: time,
    language: undefined,
    linkId: undefined,
    invitationId: undefined,
    externalId: undefined,
    revision: 1,
    data: {},
    metadata: undefined,
    ...given,
  };
}
