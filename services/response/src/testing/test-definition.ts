import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { CompiledSurvey, SurveySettings } from '../surveys/definition.ts';

export const openSettings: SurveySettings = {
  opensAt: undefined,
  closesAt: undefined,
  responseLimit: undefined,
  access: 'open',
  languages: [],
  retentionDays: undefined,
  resumeAcrossDevices: true,
  metadataFields: [],
};

export const testDefinition: JsonObject = {
  title: 'Lunch',
  supported_languages: ['en', 'de'],
  pages: [
    {
      questions: [
        { id: 'ate', type: 'single_choice', title: 'Did you eat?', required: true, options: ['yes', 'no'] },
        { id: 'taste', type: 'rating', title: 'How was it?', required: true },
        { id: 'comment', type: 'textarea', title: 'Anything else?' },
        { id: 'age', type: 'text', format: 'integer', title: 'How old are you?' },
      ],
    },
  ],
  logic: [
    {
      question_id: 'taste',
      conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes', action: 'show' }],
    },
    {
      question_id: 'comment',
      action: 'disqualify',
      conditions: [{ source_question: 'comment', operator: 'equals', value: 'spam', action: 'disqualify' }],
    },
  ],
};

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
    metadataFields: [],
    async findVersion(version: number): Promise<CompiledSurvey> {
      const found = definitions.find((definition) => definition.version === version);
      if (found === undefined) throw new Error(`no version ${version}`);
      return found;
    },
  };
}
