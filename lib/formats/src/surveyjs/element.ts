import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { shorten } from '@survey/questionnaire/shorten';
import type { DraftQuestion, SurveyDraft } from '../core/draft.ts';
import { createUniqueOptionIds, type ToUniqueId } from '../core/ids.ts';
import { moveReserved, toSourceData } from '../core/source-data.ts';
import { type HtmlToText, isEmptyText, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { createMemberReader, type MemberReader, type TextReader } from './document.ts';

/** Longest name in a message. */
const MAX_QUOTED = 200;

export interface ElementContext {
  readonly texts: TextReader;
  readonly html: HtmlToText;
  readonly warnOnce: WarnOnce;
  readonly draft: SurveyDraft;
}

/** A SurveyJS element during conversion. */
export interface SurveyjsElement {
  readonly type: string;
  readonly name: string;
  /** Name of its answers in results. */
  readonly valueName: string;
  /** Whether an answer is required. Converted questions can override it with `required`. */
  readonly isRequired: boolean;
  readonly title: Text;
  readonly members: MemberReader;
  /** Validators that are not converted yet. Converting one removes it. */
  readonly validators: JsonObject[];
  readonly path: string;
}

interface Parts extends Pick<DraftQuestion, 'required' | 'kept'> {
  readonly type: string;
  /** By default, the element's title. */
  readonly title?: Text;
  /** Name for the id; by default, the element's name. */
  readonly name?: string;
  readonly members?: JsonObject;
  /** Source data that locates its answers. */
  readonly source?: JsonObject;
}

export function toQuestion(
  element: SurveyjsElement,
  { type, title = element.title, name = element.name, members, source, ...others }: Parts,
): DraftQuestion {
  return {
    name,
    at: element.path,
    nameAt: `${element.path}/name`,
    title,
    members: { type, ...members },
    needed: { source_id: element.valueName, type: element.type, ...source },
    ...others,
  };
}

/** Warns that a question type has no equivalent. */
export function warnOfUnsupportedType(
  { type, name, path }: SurveyjsElement,
  { warnOnce }: ElementContext,
  detail: string,
): void {
  const problem = `${shorten(name, MAX_QUOTED)} has the type ${shorten(type, MAX_QUOTED)}, which has no equivalent`;
  warnOnce(`${type} ${detail}`, { path, code: 'NO_SUCH_TYPE', detail: `${problem}: ${detail}` });
}

/**
 * Makes a lower and an upper limit. A lower limit above the upper one is kept in `source_data`, with a warning.
 *
 * @param maximum upper limit for the check, if answers cannot reach the given one
 */
export function toLimits(
  element: SurveyjsElement,
  { warnOnce }: ElementContext,
  [lowName, low]: readonly [string, number | string | undefined],
  [highName, high]: readonly [string, number | string | undefined],
  maximum?: number,
): { readonly members: JsonObject; readonly source: JsonObject } {
  const upper = maximum ?? high;
  const isContradictory = low !== undefined && upper !== undefined && low > upper;
  if (isContradictory) {
    const detail = `${lowName} ${low} of ${shorten(element.name, MAX_QUOTED)} exceeds the upper limit and is kept in source_data`;
    warnOnce(`odd ${lowName}`, { path: element.path, code: 'KEPT_AS_SOURCE_DATA', detail }, element.name);
  }
  return {
    members: {
      ...(low === undefined || isContradictory ? {} : { [lowName]: low }),
      ...(high === undefined ? {} : { [highName]: high }),
    },
    source: isContradictory ? { [lowName]: low } : {},
  };
}

/** Removes and returns the validator of a type. */
export function takeValidator({ validators }: SurveyjsElement, type: string): JsonObject | undefined {
  const at = validators.findIndex((validator) => validator['type'] === type);
  return at === -1 ? undefined : validators.splice(at, 1)[0];
}

/** Member names that the reader uses in `source_data`. */
const RESERVED_NAMES = new Set(
  'source source_id type item column row part kept_as cell_type input_type visible'.split(' '),
);
const LOGIC = /If$|Expression$|^triggers$|^calculatedValues$|^expression$|OnCondition$/;

/** Warns that the unread members of a part are not imported. */
export function warnOfLost(members: Pick<MemberReader, 'rest'>, path: string, warnOnce: WarnOnce): void {
  for (const name of Object.keys(members.rest())) {
    const detail = `${shorten(name, MAX_QUOTED)} is not imported`;
    warnOnce(name, { path: `${path}/${shorten(name, MAX_QUOTED)}`, code: 'NOT_IMPORTED', detail });
  }
}

/** Returns unread members for `source_data`, with a warning for each new name. */
export function keepRest(members: Pick<MemberReader, 'rest'>, path: string, warnOnce: WarnOnce): JsonObject {
  const rest = members.rest();
  for (const name of Object.keys(rest)) {
    const isLogic = LOGIC.test(name);
    const detail = `${shorten(name, MAX_QUOTED)} ${isLogic ? 'is not converted' : 'has no equivalent'}; it is kept in source_data`;
    const code = isLogic ? 'LOGIC_NOT_CONVERTED' : 'KEPT_AS_SOURCE_DATA';
    warnOnce(name, { path: `${path}/${shorten(name, MAX_QUOTED)}`, code, detail });
  }
  return moveReserved(toSourceData(rest), RESERVED_NAMES, 'in_file');
}

/** Converts items such as choices: a value, `value|text`, or an object with both. */
export function toOptions(
  items: readonly JsonValue[],
  path: string,
  context: ElementContext,
  memberNames = ['value', 'text'] as const,
): JsonObject[] {
  const toUniqueId = createUniqueOptionIds();
  const [valueName, textName] = memberNames;
  return items.flatMap((item, index) => {
    const itemPath = `${path}/${index}`;
    const members = createMemberReader(isObject(item) ? item : fromShorthand(item));
    const value = members.take(valueName);
    const text = context.texts.take(members, textName, itemPath);
    if (value === undefined || (isObject(value) && isEmptyText(text))) {
      context.warnOnce('item', {
        path: itemPath,
        code: 'NOT_IMPORTED',
        detail: 'An item without a value is not imported',
      });
      return [];
    }
    return [toOption(toUniqueId, value, text, keepRest(members, itemPath, context.warnOnce))];
  });
}

function toOption(toUniqueId: ToUniqueId, value: JsonValue, text: Text, rest: JsonObject): JsonObject {
  const valueText = typeof value === 'object' ? '' : String(value);
  const id = toUniqueId(valueText === '' ? `item_${typeof text === 'string' ? text : ''}` : valueText);
  return {
    id,
    text: isEmptyText(text) ? valueText || id : toJsonText(text),
    source_data: { ...rest, source_id: value },
  };
}

function fromShorthand(item: JsonValue): JsonObject {
  if (typeof item !== 'string' || !item.includes('|')) return { value: item };
  const bar = item.indexOf('|');
  return { value: item.slice(0, bar), text: item.slice(bar + 1) };
}

/** Evenly spaced numbers. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** The numbers of a scale; empty if the scale is invalid, or too long for the options of a question. */
export function numbersOf({ min, max, step }: Scale): readonly number[] {
  const length = Math.floor((max - min) / step) + 1;
  if (max <= min || step <= 0 || length > LIMITS.options) return [];
  return Array.from({ length }, (_, index) => min + index * step);
}
