import type { ImportFile } from '../files/import-file.ts';
import { invalidFile } from '../files/report.ts';
import { readXml } from '../files/xml.ts';

/** The way in which a cell style shows numbers. */
export type NumberStyle =
  | { readonly kind: 'date' }
  /** `pattern` shows digits, such as `00000`, `0.00` or `0%`. */
  | { readonly kind: 'pattern'; readonly pattern: NumberPattern }
  /** Shows numbers as they are: the format is General, or not supported. */
  | { readonly kind: 'general' };

/** A format with one number. */
export interface NumberPattern {
  /** Texts, and `0`, `#` or `?` for digits before the decimal point. The first digit takes all that are left. */
  readonly whole: readonly FormatPart[];
  /** Number of digits after the decimal point: at least, and at most. */
  readonly decimals: readonly [least: number, most: number];
  readonly suffix: string;
  /** Number of percent signs. */
  readonly percents: number;
}

/** Built-in number formats of dates and times (ECMA-376, 18.8.30), including those of East Asian locales. */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
];
const BUILT_IN_PATTERNS: Readonly<Record<string, string>> = {
  '1': '0',
  '2': '0.00',
  '3': '#,##0',
  '4': '#,##0.00',
  '9': '0%',
  '10': '0.00%',
};
const GENERAL: NumberStyle = { kind: 'general' };
const DATE: NumberStyle = { kind: 'date' };
/** Limits of Excel: the length of a format, and the numbers of formats and cell styles. */
const MAX_FORMAT_LENGTH = 255;
const MAX_FORMATS = 5_000;
const MAX_STYLES = 65_490;
/** Numbers have fewer decimals, so formats with more of them show only zeros at the end. */
const MAX_DECIMALS = 20;
const MAX_PERCENTS = 2;
/** Longer numbers are shown with an exponent. */
const DIGITS = /^\d{1,21}$/;

/** Reads the styles of a workbook, in the order in which cells name them. Throws `INVALID_IMPORT` if they are too many. */
export async function readNumberStyles(file: ImportFile): Promise<readonly NumberStyle[]> {
  // A file can replace a built-in format.
  const byId = new Map(Object.entries(BUILT_IN_PATTERNS).map(([id, code]) => [id, styleOf(code)]));
  for (const [first, last] of BUILT_IN_DATES) {
    for (let id = first; id <= last; id += 1) byId.set(String(id), DATE);
  }
  const styles: NumberStyle[] = [];
  let isInCellXfs = false;
  let formats = 0;
  await readXml(file, {
    open(name, attributes) {
      const id = attributes.get('numFmtId') ?? '';
      if (name === 'numFmt') {
        formats += 1;
        if (formats > MAX_FORMATS) throw tooMany(`${MAX_FORMATS} number formats`);
        byId.set(id, styleOf(attributes.get('formatCode') ?? ''));
      }
      if (name === 'cellXfs') isInCellXfs = true;
      if (name === 'xf' && isInCellXfs) {
        if (styles.length >= MAX_STYLES) throw tooMany(`${MAX_STYLES} cell styles`);
        styles.push(byId.get(id) ?? GENERAL);
      }
    },
    text: () => {},
    close(name) {
      if (name === 'cellXfs') isInCellXfs = false;
    },
  });
  return styles;
}

const formatters = new Map<string, Intl.NumberFormat>();

/** The formatter rounds like spreadsheets: 1.005 to 1.01. `toFixed` would round the binary number to 1.00. */
function formatterOf([minimumFractionDigits, maximumFractionDigits]: NumberPattern['decimals']): Intl.NumberFormat {
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('en', { useGrouping: false, minimumFractionDigits, maximumFractionDigits });
  formatters.set(key, made);
  return made;
}

/** The text that a pattern shows for a number: `00042` for 42. Thousands are never separated, even by `#,##0`. */
export function showNumber(number: number, { whole, decimals, suffix, percents }: NumberPattern): string {
  // The product can have floating-point noise: 1.005 * 100 is 100.49999999999999.
  const shown = percents === 0 ? number : Number((number * 100 ** percents).toPrecision(15));
  const rounded = formatterOf(decimals).format(Math.abs(shown));
  const [digits = '', fraction = ''] = rounded.split('.');
  if (!DIGITS.test(digits)) return String(number);
  const firstDigit = whole.findIndex(({ kind }) => kind === 'code');
  const texts: string[] = [];
  // Fills the places of digits from the right.
  let remaining = digits === '0' ? '' : digits;
  for (const [at, { kind, text }] of [...whole.entries()].toReversed()) {
    if (kind !== 'code') texts.unshift(text);
    else {
      const taken = at === firstDigit ? remaining : remaining.slice(-1);
      remaining = remaining.slice(0, -1);
      texts.unshift(taken === '' && text === '0' ? '0' : taken);
    }
  }
  const isNegative = number < 0 && /[1-9]/.test(rounded);
  const decimalText = fraction === '' ? '' : `.${fraction}`;
  return `${isNegative ? '-' : ''}${texts.join('')}${decimalText}${suffix}`;
}

/**
 * One part of a format. `code`: a letter of dates, a digit or a separator. `text`: shown as it is. `elapsed`: part of a
 * duration, such as `[h]`. `condition`: of the section, such as `[<100]`.
 */
interface FormatPart {
  readonly kind: 'code' | 'text' | 'elapsed' | 'condition';
  readonly text: string;
}

/** The meaning of a format code (ECMA-376, 18.8.31). Of several sections, only the first one counts. */
function styleOf(code: string): NumberStyle {
  if (code.length > MAX_FORMAT_LENGTH) return GENERAL;
  const parts = [...partsOf(code)];
  const codes = parts.flatMap(({ kind, text }) => (kind === 'code' ? [text] : [])).join('');
  // A duration, such as `[h]:mm`, is no time of day. With conditions, the number decides which section counts.
  if (parts.some(({ kind }) => kind === 'elapsed' || kind === 'condition')) return GENERAL;
  if (/general/i.test(codes)) return GENERAL;
  // `m` alone is a month. Beside digits, a program may mean metres.
  if (/[dyhs]|mmm|^mm?$/i.test(codes)) return DATE;
  const pattern = isDivided(codes) ? undefined : patternOf(parts);
  return pattern === undefined ? GENERAL : { kind: 'pattern', pattern };
}

/** Divides the first section of a format. Colours, and spaces of a width, are left out. */
function* partsOf(code: string): Generator<FormatPart> {
  for (let at = 0; at < code.length; at += 1) {
    const character = code.charAt(at);
    if (character === ';') return;
    if (character === '"' || character === '[') {
      const close = code.indexOf(character === '"' ? '"' : ']', at + 1);
      const end = close === -1 ? code.length : close;
      const text = code.slice(at + 1, end);
      at = end;
      if (character === '"') yield { kind: 'text', text };
      else if (/^(?:h+|m+|s+)$/i.test(text)) yield { kind: 'elapsed', text };
      else if (/^[<>=]/.test(text)) yield { kind: 'condition', text };
      // A currency with its locale: `[$€-407]`.
      else if (text.startsWith('$')) yield { kind: 'text', text: text.slice(1).split('-', 1)[0] ?? '' };
    } else if (character === '\\') {
      at += 1;
      yield { kind: 'text', text: code.charAt(at) };
    } else if (character === '_' || character === '*') at += 1;
    else yield { kind: /[ $()+:'!&^~{}<>=€£¥-]/.test(character) ? 'text' : 'code', text: character };
  }
}

/** The pattern of a format with one number; undefined for fractions, exponents and texts. */
function patternOf(parts: readonly FormatPart[]): NumberPattern | undefined {
  const whole: FormatPart[] = [];
  let [fraction, suffix, percents, isAfterPoint] = ['', '', 0, false];
  for (const { kind, text } of parts) {
    if (kind === 'code' && text === ',') continue;
    if (kind === 'code' && text === '.' && !isAfterPoint) isAfterPoint = true;
    else if (kind === 'code' && /^[0#?]$/.test(text)) {
      if (!isAfterPoint) whole.push({ kind, text });
      else if (suffix === '') fraction += text;
      else return undefined;
    } else if (kind === 'text' || text === '%') {
      if (kind === 'code') percents += 1;
      if (isAfterPoint) suffix += text;
      else whole.push({ kind: 'text', text });
    } else return undefined;
  }
  const hasDigits = whole.some(({ kind }) => kind === 'code');
  if (!hasDigits || fraction.length > MAX_DECIMALS || percents > MAX_PERCENTS) return undefined;
  const least = fraction.replaceAll(/[^0]/g, '').length;
  return { whole, decimals: [least, fraction.length], suffix, percents };
}

/** Whether a format divides by a thousand: it has a comma after its last digit, or before the decimal point (`0,.0`). */
function isDivided(codes: string): boolean {
  return /,(?:\.|$)/.test(codes.replaceAll('%', ''));
}

function tooMany(limit: string): Error {
  return invalidFile('BAD_XLSX', `The workbook has more than ${limit}`);
}
