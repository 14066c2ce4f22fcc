import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type DefinitionProblemSchema,
  type SurveySettings as SettingsMessage,
  SurveyDraftSchema,
  SurveySchema,
  SurveySettingsSchema,
  SurveyVersionSchema,
} from '@survey/proto/survey/surveys/v1/survey_pb';
import type {
  CreateSurveyRequest,
  ListSurveysRequest,
  SurveyPayload as PayloadMessage,
  UpdateSurveyRequest,
} from '@survey/proto/survey/surveys/v1/survey_service_pb';
import type { Lint } from '@survey/questionnaire/lint/report';
import { toMetadataFields } from '@survey/questionnaire/metadata/metadata-fields';
import type { Problem } from '@survey/questionnaire/problem';
import { toSnakeCase } from '@survey/runtime/json/projection';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import {
  type Survey,
  type SurveyDraft,
  type SurveyVersion,
  type SurveyVersionSummary,
  surveyStatuses,
} from './survey.ts';
import { type SurveyListQuery, type TimeRange, toTitleWords } from './survey-list.ts';
import type { SurveyPatch, SurveyPayload } from './survey-service.ts';
import { defaultSettings, type SurveySettings } from './survey-settings.ts';

export function toSurveyMessage(survey: Survey) {
  return toMessageFields(SurveySchema, {
    ...survey,
    settings: toSettingsMessage(survey.settings),
    hasDraft: survey.draft !== undefined,
    // Only replies to imports have a report.
    import: undefined,
  });
}

export function toVersionMessage(version: SurveyVersion) {
  return toMessageFields(SurveyVersionSchema, version);
}

export function toVersionSummaryMessage(version: SurveyVersionSummary) {
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

export function toLintMessage({ errors, warnings }: Lint) {
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

/** Throws `INVALID_REQUEST` if `q` has no words. */
export function toSurveyListQuery(request: ListSurveysRequest): SurveyListQuery {
  const { status, projectId, q, deleted } = request;
  return {
    ...toPageQuery(request),
    status: surveyStatuses.find((known) => known === status),
    projectId,
    titleWords: q === undefined ? [] : toTitleWords(q),
    createdAt: toRange(request.createdSince, request.createdUntil),
    updatedAt: toRange(request.updatedSince, request.updatedUntil),
    deleted,
  };
}

function toRange(since: Timestamp | undefined, until: Timestamp | undefined): TimeRange {
  return { since: since && timestampDate(since), until: until && timestampDate(until) };
}

export function toSettings(message: SettingsMessage): SurveySettings {
  const { opensAt, closesAt, responseLimit, access, languages, retentionDays, resumeAcrossDevices = true } = message;
  const { metadataFields } = message;
  return {
    opensAt: opensAt && timestampDate(opensAt),
    closesAt: closesAt && timestampDate(closesAt),
    responseLimit,
    // The contract allows no other value.
    access: access === 'links_only' ? 'links_only' : 'open',
    languages,
    retentionDays,
    resumeAcrossDevices,
    metadataFields: toMetadataFields(metadataFields),
  };
}

export function toSettingsMessage(settings: SurveySettings) {
  const metadataFields = settings.metadataFields.map(({ max_length: maxLength, from, ...field }) => ({
    ...field,
    ...(maxLength === undefined ? {} : { maxLength }),
    from: [...from],
  }));
  return toMessageFields(SurveySettingsSchema, { ...settings, metadataFields });
}

/** Converts an update to the changed members. Members in the mask without a value are reset to their defaults. */
export function toPatch({ updateMask, projectId, settings }: UpdateSurveyRequest): SurveyPatch {
  const masked = new Set(updateMask?.paths);
  const values = settings === undefined ? defaultSettings : toSettings(settings);
  const isMasked = ([key]: [string, unknown]) => masked.has('settings') || masked.has(`settings.${toSnakeCase(key)}`);
  const changed: Partial<SurveySettings> = Object.fromEntries(Object.entries(values).filter(isMasked));
  return {
    ...(masked.has('project_id') ? { projectId } : {}),
    ...(Object.keys(changed).length === 0 ? {} : { settings: changed }),
  };
}
