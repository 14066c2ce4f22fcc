import type { Target } from './import-formats.ts';
import type { ImportSettings } from './import-settings.ts';

/** The choices of a user for an import. */
export interface ImportForm {
  readonly target: Target;
  readonly file: File | undefined;
  /** The survey that gets the responses; empty if none is chosen. Not used for imports of surveys. */
  readonly surveyId: string;
  readonly settings: ImportSettings;
  /** Whether the user has chosen source and format; otherwise the plan guesses them. */
  readonly isFormatChosen: boolean;
}

export type ImportFormChange = Partial<Omit<ImportForm, 'isFormatChosen'>>;

/**
 * Applies a change. Resets settings that are only right for the previous file, target or survey.
 *
 * @param shown the settings as the form shows them, with the format that the plan guesses
 */
export function changeForm(form: ImportForm, change: ImportFormChange, shown: ImportSettings): ImportForm {
  const { settings } = change;
  const hasOtherFormat =
    settings !== undefined && (settings.source !== shown.source || settings.format !== shown.format);
  const next = { ...form, ...change, isFormatChosen: form.isFormatChosen || hasOtherFormat };
  if (change.file !== undefined || change.target !== undefined) {
    const columnSettings = { columns: {}, separator: '', dateFormat: '', decimal: '' } as const;
    return { ...next, settings: { ...next.settings, ...columnSettings }, isFormatChosen: false };
  }
  // The targets of columns are questions of the survey that was chosen before.
  if (change.surveyId !== undefined) return { ...next, settings: { ...next.settings, columns: {} } };
  return next;
}

/** Returns the settings with the source and format that a plan guesses. A newer server can return unknown names. */
export function withGuess(settings: ImportSettings, source: string, format: string): ImportSettings {
  return { ...settings, source: source as ImportSettings['source'], format: format as ImportSettings['format'] };
}
