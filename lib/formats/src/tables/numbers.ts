import { isLocale } from './table-options.ts';

/** The readings of a number: with a decimal point, and with a decimal comma. They are often the same. */
export interface NumberReadings {
  readonly '.': string | undefined;
  readonly ',': string | undefined;
}

export type DecimalSeparator = keyof NumberReadings;

/**
 * Marks between groups of thousands that are never decimal separators: spaces and apostrophes. Line breaks and tabs
 * separate two numbers, and so does a space after more than three digits: `2024 100`.
 */
const GROUP_MARKS = /(?<=(?<!\d)\d{1,3})(?:[^\S\t-\r]|['’])(?=\d{3}(?!\d))/g;
/** Maximum characters of a number. Longer texts are none. */
const MAX_NUMBER = 100;
const SHAPES: Readonly<Record<DecimalSeparator, readonly RegExp[]>> = {
  '.': [/^\d*\.\d+$/, /^\d+\.?$/, /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/, /^\d+(?:\.\d+)?e[-+]?\d+$/i],
  ',': [/^\d*,\d+$/, /^\d+,?$/, /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/],
};

/** Reads a number with each decimal separator. Undefined if the text is no number. Results have a decimal point. */
export function readNumber(text: string): NumberReadings | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_NUMBER) return undefined;
  const sign = /^[-+−]/.exec(trimmed)?.[0] ?? '';
  const digits = trimmed.slice(sign.length).replaceAll(GROUP_MARKS, '');
  const read = (decimal: DecimalSeparator): string | undefined => {
    if (!SHAPES[decimal].some((shape) => shape.test(digits))) return undefined;
    const plain = decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
    return `${sign === '' || sign === '+' ? '' : '-'}${normalised(plain)}`;
  };
  const readings = { '.': read('.'), ',': read(',') };
  return readings['.'] === undefined && readings[','] === undefined ? undefined : readings;
}

function normalised(digits: string): string {
  const ended = digits.endsWith('.') ? digits.slice(0, -1) : digits;
  return ended.startsWith('.') ? `0${ended}` : ended;
}

/** The decimal separator of a locale (BCP 47); undefined if the locale is unknown. */
export function decimalOf(locale: string): DecimalSeparator | undefined {
  if (!isLocale(locale)) return undefined;
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/** A number without the zeros at the end of its decimals: `4.50` becomes `4.5`, and `4.00` becomes `4`. */
export function withoutEndZeros(number: string): string {
  if (!/^-?\d+\.\d+$/.test(number)) return number;
  let end = number.length;
  while (number.charAt(end - 1) === '0') end -= 1;
  return number.slice(0, number.charAt(end - 1) === '.' ? end - 1 : end);
}
