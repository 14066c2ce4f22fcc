import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { createUniqueOptionIds } from '../core/ids.ts';
import { isEmptyText, type Text, toJsonText } from '../core/texts.ts';
import { type ElementContext, keepRest } from './element.ts';
import { createMemberReader } from './member-reader.ts';

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
    const text = context.texts.read(members.take(textName), itemPath);
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

function toOption(toUniqueId: (name: string) => string, value: JsonValue, text: Text, rest: JsonObject): JsonObject {
  const valueText = typeof value === 'object' ? '' : String(value);
  const id = toUniqueId(valueText === '' ? `item_${typeof text === 'string' ? text : ''}` : valueText);
  return {
    id,
    text: isEmptyText(text) ? valueText || id : toJsonText(text),
    source_data: { ...rest, source_id: value },
  };
}

/** An option that SurveyJS defines itself, such as "none". */
export function toSpecialOption(value: string, text: Text): JsonObject {
  return { id: value, text: toJsonText(text), exclusive: true, source_data: { source_id: value } };
}

function fromShorthand(item: JsonValue): JsonObject {
  if (typeof item !== 'string' || !item.includes('|')) return { value: item };
  const bar = item.indexOf('|');
  return { value: item.slice(0, bar), text: item.slice(bar + 1) };
}
