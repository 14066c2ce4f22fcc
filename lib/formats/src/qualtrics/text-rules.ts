import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { MAX_TEXT } from '../core/source-data.ts';
import { numberOf } from '../core/source-questions.ts';
import { scalarText } from './qsf.ts';
import type { SourceQuestion } from './source-question.ts';

/** Patterns of dates in answers, by date format of the question. */
const DATE_FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ['mm/dd/yyyy', /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/],
  ['dd/mm/yyyy', /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/],
  ['yyyy/mm/dd', /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/],
]);

export function readTextRules({ settings }: SourceQuestion, type: 'text' | 'textarea'): JsonObject {
  const [min, max] = ['MinChars', 'MaxChars'].map((name) => numberOf(settings[name]));
  const longest = isCount(max) && max >= (min ?? 0) ? max : MAX_TEXT;
  const limits = { ...(isCount(min) && min <= longest ? { min_length: min } : {}), max_length: longest };
  if (type === 'textarea') return { type, ...limits };
  switch (scalarText(settings['ContentType'])) {
    case 'ValidEmail':
      return { type, format: 'email' };
    case 'ValidPhone':
      return { type, format: 'phone' };
    case 'ValidURL':
      return { type, format: 'url' };
    case 'ValidNumber':
      return { type, format: decimalsOf(settings) === 0 ? 'integer' : 'number' };
    case 'ValidDate':
      return dateFormatOf(settings) === undefined ? { type, ...limits } : { type: 'date' };
    default:
      return { type, ...limits };
  }
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && value > 0 && Number.isInteger(value);
}

/** The date format of a question; undefined if it has none, or an unknown one. */
export function dateFormatOf(settings: JsonObject): string | undefined {
  const format = scalarText(settings['DateFormat'])?.toLowerCase();
  return format !== undefined && DATE_FORMATS.has(format) ? format : undefined;
}

/** Converts a date to `YYYY-MM-DD`. Other texts are returned unchanged. */
export function toDate(text: string, format: string | undefined): string {
  const { year, month, day } = (format === undefined ? undefined : DATE_FORMATS.get(format)?.exec(text)?.groups) ?? {};
  if (year === undefined || month === undefined || day === undefined) return text;
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

function decimalsOf({ ValidNumber: rules }: JsonObject): number | undefined {
  return isObject(rules) ? numberOf(rules['NumDecimals']) : undefined;
}
