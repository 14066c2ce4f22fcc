import type { JsonValue } from '@bufbuild/protobuf';
import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';

/** Tells whether a survey has a setting of that name and type; its value may still be none that there is. */
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

/** Throws `VALIDATION_FAILED` when a value is none that there is, with paths in the settings. */
export function checkValues(settings: JsonValue, checkMessage: MessageCheck): void {
  checkMessage(SurveySettingsSchema, messageFromJson(SurveySettingsSchema, settings));
}
