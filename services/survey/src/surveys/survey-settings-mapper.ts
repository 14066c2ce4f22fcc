import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type SurveySettings as SettingsMessage,
  SurveySettingsSchema,
} from '@survey/proto/survey/surveys/v1/survey_pb';
import type { UpdateSurveyRequest } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { SurveyPatch } from './survey-service.ts';
import { defaultSettings, type SurveySettings } from './survey-settings.ts';

/** Names of the settings in the API. */
const nameOf = {
  opensAt: 'opens_at',
  closesAt: 'closes_at',
  responseLimit: 'response_limit',
  access: 'access',
  languages: 'languages',
  retentionDays: 'retention_days',
  resumeAcrossDevices: 'resume_across_devices',
} as const satisfies Record<keyof SurveySettings, string>;

export function toSettings(message: SettingsMessage): SurveySettings {
  const { opensAt, closesAt, responseLimit, access, languages, retentionDays, resumeAcrossDevices = true } = message;
  return {
    opensAt: opensAt && timestampDate(opensAt),
    closesAt: closesAt && timestampDate(closesAt),
    responseLimit,
    access: access === 'links_only' ? 'links_only' : 'open',
    languages,
    retentionDays,
    resumeAcrossDevices,
  };
}

export function toSettingsMessage(settings: SurveySettings) {
  return toMessageFields(SurveySettingsSchema, settings);
}

/** Converts an update to the changed members. Members in the mask without a value are reset to their defaults. */
export function toPatch({ updateMask, projectId, settings }: UpdateSurveyRequest): SurveyPatch {
  const masked = new Set(updateMask?.paths);
  const values = settings === undefined ? defaultSettings : toSettings(settings);
  const isMasked = ([key]: [string, unknown]) =>
    // toSettings returns exactly these keys.
    masked.has('settings') || masked.has(`settings.${nameOf[key as keyof SurveySettings]}`);
  const changed: Partial<SurveySettings> = Object.fromEntries(Object.entries(values).filter(isMasked));
  return {
    ...(masked.has('project_id') ? { projectId } : {}),
    ...(Object.keys(changed).length === 0 ? {} : { settings: changed }),
  };
}
