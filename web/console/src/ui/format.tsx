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
