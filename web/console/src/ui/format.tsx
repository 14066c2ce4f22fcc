import { type Definition, findLanguage } from '@survey/questionnaire';
import { isObject, itemsOf } from '@survey/questionnaire/json';

const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const numberFormat = new Intl.NumberFormat();
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** A time in the time zone and language of the viewer. */
export function Time({ value }: { readonly value: string | undefined }) {
  if (value === undefined) return <span className="soft">never</span>;
  return (
    <time dateTime={value} title={value}>
      {dateTimeFormat.format(new Date(value))}
    </time>
  );
}

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

/** Formats a number with the words for one thing or several, such as `1 file` or `2 files`. */
export function countOf(count: number, one: string, several: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`;
}

/** @param share from 0 to 1 */
export function formatShare(share: number): string {
  return percentFormat.format(share);
}

/** Formats bytes with a decimal unit, such as `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const index = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${numberFormat.format(Math.round((bytes / 1000 ** index) * 10) / 10)} ${units[index]}`;
}

/** Formats a duration with its two largest units, such as `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([value]) => value > 0)
    .slice(0, 2)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

/**
 * Converts a time to the value of a field of the type `datetime-local`, in the time zone of the viewer.
 *
 * @param time RFC 3339; undefined for an empty field
 */
export function toLocalTime(time: string | undefined): string {
  if (time === undefined) return '';
  const date = new Date(time);
  const pad = (number: number) => String(number).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Converts the value of a `datetime-local` field to RFC 3339. Returns undefined for an empty field. */
export function fromLocalTime(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}

/**
 * Converts the value of a `datetime-local` field to RFC 3339. If it is unchanged, returns `previous`, because the
 * field does not show seconds.
 *
 * @param previous the time that the field showed first
 */
export function fromChangedLocalTime(value: string, previous: string | undefined): string | undefined {
  return value === toLocalTime(previous) ? previous : fromLocalTime(value);
}

/** The languages that a definition declares, the default one first. */
export function languagesOf(definition: Definition | undefined): readonly string[] {
  return itemsOf(isObject(definition) ? definition.supported_languages : undefined).map(String);
}

/**
 * Chooses the language of a survey that suits the viewer. `en-US` finds `en-US`, else `en`, else `en-GB`.
 *
 * @param declared the languages of the survey, the default one first
 * @param preferred the languages of the viewer, the best one first, such as `navigator.languages`
 */
export function chooseLanguage(declared: readonly string[] = [], preferred: readonly string[]): string {
  return findLanguage(declared, preferred) ?? declared[0] ?? preferred[0] ?? 'en';
}

/** Returns the language of a survey that suits the viewer. */
export function displayLanguageOf(definition: Definition | undefined): string {
  return chooseLanguage(languagesOf(definition), navigator.languages);
}
