import type { JsonValue } from '@bufbuild/protobuf';
import { type SurveySettings, SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';

/** Whether a survey has a setting of this name and type. The value can still be invalid. */
export function isSetting(name: string, value: JsonValue): boolean {
  if (!SurveySettingsSchema.fields.some((field) => field.name === name)) return false;
  try {
    messageFromJson(SurveySettingsSchema, { [name]: value });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Throws `VALIDATION_FAILED` if a value is invalid, with paths in the settings. */
export function checkValues(settings: JsonValue, checkMessage: MessageCheck): void {
  checkMessage(SurveySettingsSchema, messageFromJson(SurveySettingsSchema, settings));
}

/** The settings of a survey that is imported with these valid ones. */
export function toSettingsMessage(settings: JsonValue): SurveySettings {
  const message = messageFromJson(SurveySettingsSchema, settings);
  return { ...message, access: message.access ?? 'open' };
}
