import {
  type DefinitionProblemSchema,
  SurveyDraftSchema,
  SurveySchema,
  SurveyVersionSchema,
} from '@survey/proto/survey/surveys/v1/survey_pb';
import type {
  CreateSurveyRequest,
  SurveyPayload as PayloadMessage,
} from '@survey/proto/survey/surveys/v1/survey_service_pb';
import type { Lint } from '@survey/questionnaire/lint/report';
import type { Problem } from '@survey/questionnaire/problem';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Survey, SurveyDraft, SurveyVersion, SurveyVersionFields } from './survey.ts';
import type { SurveyPayload } from './survey-service.ts';
import { toSettings, toSettingsMessage } from './survey-settings-mapper.ts';

export function toSurveyMessage(survey: Survey) {
  return toMessageFields(SurveySchema, {
    ...survey,
    settings: toSettingsMessage(survey.settings),
    hasDraft: survey.draft !== undefined,
    import: undefined,
  });
}

export function toVersionMessage(version: SurveyVersion) {
  return toMessageFields(SurveyVersionSchema, version);
}

export function toVersionFields(version: SurveyVersionFields) {
  return toMessageFields(SurveyVersionSchema, { ...version, definition: undefined });
}

/** Parses a version number of a path. Returns 0, which matches no version, if it is invalid. */
export function toVersionNumber(version: string): number {
  return /^[1-9][0-9]{0,9}$/.test(version) ? Number(version) : 0;
}

export function toDraftMessage(surveyId: string, draft: SurveyDraft) {
  return toMessageFields(SurveyDraftSchema, { surveyId, ...draft });
}

export function toSurveyPayload(message: CreateSurveyRequest | PayloadMessage): SurveyPayload {
  const { schemaVersion, version, survey: definition = {}, projectId, settings } = message;
  return { schemaVersion, version, definition, projectId, settings: settings && toSettings(settings) };
}

export function toCheckMessage({ errors, warnings }: Lint) {
  return {
    valid: errors.length === 0,
    errors: errors.map(toProblemMessage),
    warnings: warnings.map(toProblemMessage),
  };
}

function toProblemMessage({
  path,
  code,
  detail,
  question_id,
}: Problem): CompleteFields<typeof DefinitionProblemSchema> {
  return { path, code, detail, questionId: question_id };
}
