import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { numberScale } from '../core/number-scale.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import {
  type ElementContext,
  type SurveyjsElement,
  takeValidator,
  toLimits,
  toQuestion,
  warnOfUnsupportedType,
} from './element.ts';
import { toOptions, toSpecialOption } from './items.ts';
import { numbersOf } from './numbers.ts';

/** Converts a choice question. Choices can be listed, be a range of numbers, or be missing in the file. */
export function readChoice(
  element: SurveyjsElement,
  context: ElementContext,
  selection: 'one' | 'several',
): readonly JsonObject[] {
  const { members, path } = element;
  const own = members.takeList('choices');
  const given = toOptions(own.length > 0 ? own : takeRange(element), `${path}/choices`, context);
  const ids = new Set(given.map(({ id }) => id));
  // Special options can also be listed as normal choices. Do not add these twice.
  const options = [...given, ...specialOptions(element, context).filter(({ id }) => !ids.has(id))];
  const allowOther = takeEither(element, 'showOtherItem', 'hasOther');
  if (options.length === 0) return readOpenChoice(element, context, selection);
  const [min, max] = ['minSelectedChoices', 'maxSelectedChoices'].map((name) => selectionsOf(element, name));
  const { minCount, maxCount } = takeValidator(element, 'answercount') ?? {};
  const minSelections = min ?? toCount(minCount);
  const maxSelections = max ?? toCount(maxCount);
  const other = allowOther ? { allow_other: true } : {};
  if (selection === 'one') {
    const single = options.map(({ exclusive: _, ...option }) => option);
    return [toQuestion(element, context, { type: 'single_choice', members: { options: single, ...other } })];
  }
  const possible = options.length + (allowOther ? 1 : 0);
  const highest = Math.min(maxSelections ?? possible, possible);
  const limits = toLimits(
    element,
    context,
    ['min_selections', minSelections],
    ['max_selections', maxSelections],
    highest,
  );
  return [
    toQuestion(element, context, {
      type: 'multiple_choice',
      members: { options, ...other, ...limits.members },
      source: limits.source,
    }),
  ];
}

/** Converts a Boolean to a single choice. */
export function readBoolean(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const options = takeBooleanOptions(element, context);
  return [toQuestion(element, context, { type: 'single_choice', members: { options: [...options] } })];
}

/** The options of a Boolean. */
export function takeBooleanOptions(
  { members, path }: Pick<SurveyjsElement, 'members' | 'path'>,
  context: ElementContext,
): readonly JsonObject[] {
  const sides = (['True', 'False'] as const).map((side): JsonValue => {
    const text = context.texts.read(members.take(`label${side}`), `${path}/label${side}`);
    return {
      value: members.take(`value${side}`) ?? side === 'True',
      text: isEmptyText(text) ? (side === 'True' ? 'Yes' : 'No') : toJsonText(text),
    };
  });
  return toOptions(sides, path, context);
}

/** Converts a choice question whose choices are not in the file to a text question. */
function readOpenChoice(
  element: SurveyjsElement,
  context: ElementContext,
  selection: 'one' | 'several',
): readonly JsonObject[] {
  const replacement = selection === 'one' ? 'a text' : 'a text with answers as JSON';
  warnOfUnsupportedType(element, context, `it has no choices in the file and becomes ${replacement}`);
  return [
    selection === 'one'
      ? toQuestion(element, context, { type: 'text' })
      : toQuestion(element, context, { type: 'textarea', source: { kept_as: 'json' } }),
  ];
}

/** Converts a ranking to a matrix of choices and ranks. */
export function readRanking(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members, path } = element;
  const rows = toOptions(members.takeList('choices'), `${path}/choices`, context);
  if (rows.length === 0) return readOpenChoice(element, context, 'several');
  warnOfUnsupportedType(element, context, 'it becomes a matrix of choices and ranks');
  const columns = numberScale(rows.length);
  return [
    toQuestion(element, context, {
      type: 'matrix',
      members: { rows, columns, required_rows: 1 },
      source: { kept_as: 'ranks' },
    }),
  ];
}

/** The numbers of choices that are a range. */
function takeRange({ members }: SurveyjsElement): readonly JsonValue[] {
  const [min = 0, max = 0, step = 1] = ['choicesMin', 'choicesMax', 'choicesStep'].map((name) =>
    members.takeNumber(name),
  );
  return numbersOf({ min, max, step });
}

function specialOptions(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members, path } = element;
  const special = [
    { flags: ['showNoneItem', 'hasNone'], value: 'none', text: 'noneText', standard: 'None' },
    { flags: ['showRefuseItem'], value: 'refused', text: 'refuseText', standard: 'Refuse to answer' },
    { flags: ['showDontKnowItem'], value: 'dontknow', text: 'dontKnowText', standard: "Don't know" },
  ];
  return special.flatMap(({ flags, value, text, standard }) => {
    if (!takeEither(element, ...flags)) return [];
    const own = context.texts.read(members.take(text), `${path}/${text}`);
    return [toSpecialOption(value, isEmptyText(own) ? standard : own)];
  });
}

function takeEither({ members }: SurveyjsElement, ...names: readonly string[]): boolean {
  // Read all flags, so that none is reported as unknown.
  return names.map((name) => members.takeFlag(name)).includes(true);
}

/** Reads a limit of selections; undefined if it is 0, which means no limit. */
function selectionsOf({ members }: SurveyjsElement, name: string): number | undefined {
  return toCount(members.takeNumber(name));
}

function toCount(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
