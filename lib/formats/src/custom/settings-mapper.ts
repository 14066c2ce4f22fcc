import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { messageFromJson } from '@survey/runtime/rest/json-input';

/** The `settings` of a file, split into survey settings and others. */
interface SortedSettings {
  readonly settings: JsonObject | undefined;
  /** Unknown settings, one by one. */
  readonly unconverted: readonly UnconvertedMember[];
  /** Unknown settings together, as a single member `settings`; undefined if there are none. */
  readonly rest: UnconvertedMember | undefined;
}

const NAME = 'settings';

/** Splits members by whether a survey setting has this name and type. */
export function splitSettings(given: JsonValue | undefined, path: string): SortedSettings {
  if (isAbsent(given)) return { settings: undefined, unconverted: [], rest: undefined };
  if (!isObject(given)) {
    const rest = { name: NAME, path, value: given };
    return { settings: undefined, unconverted: [rest], rest };
  }
  const { known = [], others = [] } = Object.groupBy(Object.entries(given), ([name, value]) =>
    isSetting(name, value) ? 'known' : 'others',
  );
  return {
    settings: Object.fromEntries(known),
    unconverted: others.map(([name, value]) => ({ name: `${NAME}.${name}`, path: pointer(path, name), value })),
    rest: others.length === 0 ? undefined : { name: NAME, path, value: Object.fromEntries(others) },
  };
}

/** Whether a survey has a setting of this name and type. The value can still be invalid. */
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

/** A member of the file without an equivalent. */
export interface UnconvertedMember {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
}

export function toWarning({ name, path }: UnconvertedMember): FieldProblem {
  return { path, code: 'KEPT_AS_SOURCE_DATA', detail: `${name} has no equivalent and is kept in source_data` };
}
