import type { JsonObject } from '@bufbuild/protobuf';
import { shorten } from '@survey/questionnaire/shorten';
import type { Budget } from '../core/budget.ts';
import type { ToUniqueId } from '../core/ids.ts';
import { moveReserved, toSourceData } from '../core/source-data.ts';
import { type HtmlToText, isEmptyText, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import type { MemberReader } from './member-reader.ts';
import type { TextReader } from './text-reader.ts';

/** Longest name in a message. */
const MAX_QUOTED = 200;

export interface ElementContext {
  readonly texts: TextReader;
  readonly html: HtmlToText;
  readonly toUniqueId: ToUniqueId;
  readonly warnOnce: WarnOnce;
  readonly budget: Budget;
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

interface Parts {
  readonly type: string;
  readonly title?: Text;
  /** Name for the id; by default, the element's name. */
  readonly name?: string;
  readonly members?: JsonObject;
  /** Source data that locates its answers. */
  readonly source?: JsonObject;
}

export function toQuestion(
  element: SurveyjsElement,
  { toUniqueId, warnOnce }: ElementContext,
  parts: Parts,
): JsonObject {
  const name = parts.name ?? element.name;
  const id = toUniqueId(name);
  if (id !== name) {
    const detail = `The name ${shorten(name, MAX_QUOTED)} is invalid or duplicate as an id; the new id is ${id}. Other invalid or duplicate names change in the same way`;
    warnOnce('', { path: `${element.path}/name`, code: 'ID_CHANGED', detail });
  }
  const title = parts.title ?? element.title;
  return {
    id,
    type: parts.type,
    title: isEmptyText(title) ? name : toJsonText(title),
    ...parts.members,
    source_data: { source_id: element.valueName, type: element.type, ...parts.source },
  };
}

/** Warns that a question type has no equivalent. */
export function warnOfUnsupportedType(
  { type, name, path }: SurveyjsElement,
  { warnOnce }: ElementContext,
  detail: string,
): void {
  const problem = `${shorten(name, MAX_QUOTED)} has the type ${shorten(type, MAX_QUOTED)}, which has no equivalent`;
  warnOnce(type, { path, code: 'NO_SUCH_TYPE', detail: `${problem}: ${detail}` });
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
