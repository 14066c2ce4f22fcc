import type { JsonValue } from '@bufbuild/protobuf';
import { type SurveySettings, SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';

/** Throws `VALIDATION_FAILED` if a value is invalid, with paths in the settings. */
export function checkValues(settings: JsonValue, checkMessage: MessageCheck): void {
  checkMessage(SurveySettingsSchema, messageFromJson(SurveySettingsSchema, settings));
}

/** Converts valid settings of an import to the message. */
export function toSettingsMessage(settings: JsonValue): SurveySettings {
  const message = messageFromJson(SurveySettingsSchema, settings);
  return { ...message, access: message.access ?? 'open' };
}
