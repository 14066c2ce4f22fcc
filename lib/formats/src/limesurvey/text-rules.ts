import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/pattern';
import { LIMITS } from '@survey/questionnaire/limits';
import { MAX_TEXT } from '../core/source-data.ts';
import type { LssQuestion } from './lss-survey.ts';

/** Maximum length that is tried when a pattern is too costly for MAX_TEXT. */
const SHORT_TEXT = 1_000;
const MAX_STEPS = 1_000_000;

/** Converts the validation rules of text questions. Warns about rules that cannot be converted. */
export interface RuleReader {
  /** The type and the validation rules of a text question. */
  text(question: LssQuestion, type: 'text' | 'textarea'): JsonObject;
  /** Reads an attribute with an integer of at most nine digits; undefined for other values, such as an expression. */
  readInteger(question: LssQuestion, name: string): number | undefined;
  /** Warns that a date with a time becomes two questions. */
  warnOfMoments(question: LssQuestion): void;
}

type WarnOfQuestion = (question: LssQuestion, code: string, detail: string) => void;

export function createRuleReader(warnOfQuestion: WarnOfQuestion): RuleReader {
  const compilePattern = createPatternCompiler();
  let stepsLeft: number = LIMITS.steps;
  const patternOf = (question: LssQuestion, type: string, lengths: readonly number[]): JsonObject => {
    const written = question.row.get('preg');
    if (written === '') return {};
    const pattern = (type === 'text' ? toPattern(written) : undefined) ?? '';
    let reason = '';
    for (const length of pattern === '' ? [] : lengths) {
      const compiled = compilePattern(pattern, length);
      if (typeof compiled !== 'function') reason = `: ${compiled.fault}`;
      else if (compiled.size * length > stepsLeft) reason = ': the patterns of the survey are too large together';
      else {
        stepsLeft -= compiled.size * length;
        return { pattern, max_length: length };
      }
    }
    const detail = `The pattern of ${question.code} is not supported and is kept in source_data`;
    warnOfQuestion(question, 'KEPT_AS_SOURCE_DATA', `${detail}${reason}`);
    return {};
  };
  const readInteger = ({ attributes }: LssQuestion, name: string) => {
    const value = attributes.get(name)?.trim() ?? '';
    return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  };
  return {
    readInteger,
    text: (question, type) => {
      if (type === 'text' && question.attributes.get('numbers_only') === '1') return { type, format: 'number' };
      const limit = readInteger(question, 'maximum_chars');
      // A pattern can be too costly for long texts. Then the shorter limit is tried.
      const lengths = limit ? [limit] : [MAX_TEXT, SHORT_TEXT];
      return { type, max_length: limit || MAX_TEXT, ...patternOf(question, type, lengths) };
    },
    warnOfMoments: (question) =>
      warnOfQuestion(
        question,
        'NO_SUCH_TYPE',
        `${question.code} asks for a date with a time and becomes two questions`,
      ),
  };
}

/** Converts `/^a$/i` to RE2 syntax. */
function toPattern(written: string): string | undefined {
  const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written.trim()) ?? [];
  if (body === '' || !/^[iu]*$/.test(flags)) return undefined;
  return `${flags.includes('i') ? '(?i)' : ''}${body.replaceAll('\\/', '/')}`;
}

export function readNumberRules({ attributes }: LssQuestion): JsonObject {
  return { type: 'text', format: attributes.get('num_value_int_only') === '1' ? 'integer' : 'number' };
}

/** Converts a number list or slider to a rating; undefined if its limits are not numbers. */
export function readRange(
  { attributes }: LssQuestion,
  kind: 'multiflexible' | 'slider',
  fallback: { readonly min: number; readonly max: number } | undefined,
): JsonObject | undefined {
  const read = (name: string, otherwise: number | undefined) => {
    const value = attributes.get(`${kind}_${name}`)?.trim() ?? '';
    if (value === '') return otherwise;
    return Number.isFinite(Number(value)) ? Number(value) : undefined;
  };
  const [min, max] = [read('min', fallback?.min), read('max', fallback?.max)];
  const step = read(kind === 'slider' ? 'accuracy' : 'step', 1);
  if (min === undefined || max === undefined || step === undefined) return undefined;
  if (min > max || step <= 0 || (max - min) / step > MAX_STEPS) return undefined;
  return { type: 'rating', min, max, ...(step === 1 ? {} : { step }) };
}
