import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/pattern';
import {
  type ElementContext,
  type SurveyjsElement,
  takeValidator,
  toLimits,
  toQuestion,
  warnOfUnsupportedType,
} from './element.ts';
import { DATE, TIME } from './moments.ts';

const MAX_LINE = 1_000;

/** Converts a single-line input, by `inputType`. */
export function readText(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members } = element;
  const inputType = members.takeText('inputType') ?? 'text';
  const source = inputType === 'text' ? {} : { input_type: inputType };
  if (inputType === 'date' || inputType === 'time') {
    const { min, max } = takeLimits(element, inputType);
    const limits = toLimits(element, context, ['min', min], ['max', max]);
    const parts = { members: limits.members, source: { ...source, ...limits.source } };
    return [toQuestion(element, context, { type: inputType, ...parts })];
  }
  if (inputType.startsWith('datetime')) {
    warnOfUnsupportedType({ ...element, type: inputType }, context, 'it becomes a text with date and time');
  }
  const format = formatOf(element, inputType);
  const lengths = readLengths(element, context);
  return [
    toQuestion(element, context, {
      type: 'text',
      members: {
        ...(format === undefined ? {} : { format }),
        ...lengths.members,
        ...readPattern(element),
      },
      source: { ...source, ...lengths.source },
    }),
  ];
}

export function readComment(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  return [toQuestion(element, context, { type: 'textarea', ...readLengths(element, context) })];
}

/** The format that SurveyJS validates. Other input types are only hints for keyboards. */
function formatOf(element: SurveyjsElement, inputType: string): string | undefined {
  if (takeValidator(element, 'email') !== undefined || inputType === 'email') return 'email';
  return inputType === 'number' || inputType === 'range' ? 'number' : undefined;
}

/**
 * Reads the limits of a text's length. Without a maximum, `allowLongTexts` compares the minimum with the default one.
 */
function readLengths(element: SurveyjsElement, context: ElementContext) {
  const { minLength, maxLength } = takeValidator(element, 'text') ?? {};
  const lengths = [minLength, element.members.takeNumber('maxLength'), maxLength];
  const [min, ...max] = lengths.map((length) => (isCount(length) && length > 0 ? length : undefined));
  const limit = max.find((length) => length !== undefined);
  return toLimits(element, context, ['min_length', min], ['max_length', limit]);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

/** The pattern, if RE2 supports it. Otherwise, the validator is kept in `source_data`. */
function readPattern(element: SurveyjsElement): JsonObject {
  const validator = takeValidator(element, 'regex');
  const pattern = validator?.['regex'];
  if (validator === undefined) return {};
  if (typeof pattern === 'string' && typeof createPatternCompiler()(pattern, MAX_LINE) === 'function') {
    return { pattern: validator['caseInsensitive'] === true ? `(?i)${pattern}` : pattern };
  }
  element.validators.push(validator);
  return {};
}

/** Reads limits that are dates or times. Other limits are kept in `source_data`. */
function takeLimits({ members }: SurveyjsElement, inputType: 'date' | 'time') {
  const form = inputType === 'date' ? DATE : TIME;
  const take = (name: string): string | undefined => {
    const limit = members.peek(name);
    if (typeof limit !== 'string' || !form.test(limit)) return undefined;
    members.take(name);
    return limit;
  };
  return { min: take('min'), max: take('max') };
}
