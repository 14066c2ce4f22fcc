import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';

/** Restrictions of an active survey. */
export interface SurveySettings {
  readonly opensAt: Date | undefined;
  readonly closesAt: Date | undefined;
  readonly responseLimit: number | undefined;
  readonly access: 'open' | 'links_only';
  /** The offered languages; empty means all declared ones. */
  readonly languages: readonly string[];
  readonly retentionDays: number | undefined;
  /** Whether the token of a single-use link gives access to the response in progress on every device. */
  readonly resumeAcrossDevices: boolean;
}

export const defaultSettings: SurveySettings = {
  opensAt: undefined,
  closesAt: undefined,
  responseLimit: undefined,
  access: 'open',
  languages: [],
  retentionDays: undefined,
  resumeAcrossDevices: true,
};

/** Throws `VALIDATION_FAILED` if the times are in the wrong order, or a language is not declared. */
export function checkSettings({ opensAt, closesAt, languages }: SurveySettings, definition: JsonObject): void {
  const errors: FieldProblem[] = [];
  if (opensAt !== undefined && closesAt !== undefined && closesAt <= opensAt)
    errors.push({ path: '/settings/closes_at', code: 'BAD_RANGE', detail: 'closes_at must be after opens_at' });
  const { supported_languages: declared } = definition;
  languages.forEach((language, index) => {
    if (!Array.isArray(declared) || !declared.includes(language))
      errors.push({
        path: `/settings/languages/${index}`,
        code: 'UNDECLARED_LANGUAGE',
        detail: `${language} is not in supported_languages`,
      });
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
