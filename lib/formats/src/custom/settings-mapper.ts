import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { messageFromJson } from '@survey/runtime/rest/json-input';

/** The `settings` of a file. */
interface SplitSettings {
  /** Those that a survey has. */
  readonly settings?: JsonObject;
  /** The others, or a value that is no object; undefined if there are none. */
  readonly unconverted?: JsonValue;
}

export function splitSettings(settings: JsonValue | undefined): SplitSettings {
  if (isAbsent(settings)) return {};
  if (!isObject(settings)) return { unconverted: settings };
  const { known = [], others = [] } = Object.groupBy(Object.entries(settings), ([name, value]) =>
    isSetting(name, value) ? 'known' : 'others',
  );
  return {
    settings: Object.fromEntries(known),
    ...(others.length === 0 ? {} : { unconverted: Object.fromEntries(others) }),
  };
}

/** Whether a survey has a setting of this name and type: `response_limit: -1`, which is invalid, but not `'30'`. */
function isSetting(name: string, value: JsonValue): boolean {
  if (!SurveySettingsSchema.fields.some((field) => field.name === name)) return false;
  try {
    messageFromJson(SurveySettingsSchema, { [name]: value });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
