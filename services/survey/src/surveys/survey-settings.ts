import type { JsonObject } from '@bufbuild/protobuf';
import { nameLanguages } from '@survey/questionnaire/definition/language-tag';
import { declaredLanguages, findLanguage } from '@survey/questionnaire/labels';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';

/** Settings of a survey that apply to its respondents and responses. */
export interface SurveySettings {
  readonly opensAt: Date | undefined;
  readonly closesAt: Date | undefined;
  readonly responseLimit: number | undefined;
  readonly access: 'open' | 'links_only';
  /** The offered languages; empty means all declared ones. */
  readonly languages: readonly string[];
  /** Days from the creation or import of a response to its deletion; undefined to keep responses. */
  readonly retentionDays: number | undefined;
  /** Whether a respondent with a single-use link can continue an unfinished response on another device. */
  readonly resumeAcrossDevices: boolean;
  readonly metadataFields: readonly MetadataField[];
}

export const defaultSettings: SurveySettings = {
  opensAt: undefined,
  closesAt: undefined,
  responseLimit: undefined,
  access: 'open',
  languages: [],
  retentionDays: undefined,
  resumeAcrossDevices: true,
  metadataFields: [],
};

/**
 * Replaces each language of the settings by the best match that the definition declares. Throws `VALIDATION_FAILED` if
 * a language has no match, the times are in the wrong order, or fields of the metadata contradict each other.
 */
export function resolveSettings(settings: SurveySettings, definition: JsonObject): SurveySettings {
  const { opensAt, closesAt, languages, metadataFields } = settings;
  const errors: FieldProblem[] = [];
  if (opensAt !== undefined && closesAt !== undefined && closesAt <= opensAt)
    errors.push({ path: '/settings/closes_at', code: 'BAD_RANGE', detail: 'closes_at must be after opens_at' });
  const declared = declaredLanguages(definition);
  const nearest = languages.map((language) => findLanguage(declared, [language]));
  nearest.forEach((language, index) => {
    if (language === undefined)
      errors.push({
        path: `/settings/languages/${index}`,
        code: 'UNDECLARED_LANGUAGE',
        detail: `must be in supported_languages: ${nameLanguages(declared)}`,
      });
  });
  errors.push(...fieldProblems(metadataFields));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return { ...settings, languages: [...new Set(nearest.filter((tag) => tag !== undefined))] };
}

function fieldProblems(fields: readonly MetadataField[]): readonly FieldProblem[] {
  return fields.flatMap(({ name, type, max_length: maxLength }, index) => {
    const path = `/settings/metadata_fields/${index}`;
    const isRepeated = fields.findIndex((other) => other.name === name) < index;
    return [
      ...(isRepeated ? [{ path: `${path}/name`, code: 'DUPLICATE_ITEM', detail: 'another field has this name' }] : []),
      ...(maxLength !== undefined && type !== 'string'
        ? [{ path: `${path}/max_length`, code: 'INVALID', detail: 'is only for the type string' }]
        : []),
    ];
  });
}
