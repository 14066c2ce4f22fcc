import type { JsonObject } from '@bufbuild/protobuf';
import { kindOf, objectIn } from './item.ts';
import {
  descriptionOf,
  ITEM_MEMBERS,
  type ItemReading,
  idOf,
  type LocatedItem,
  sourceIdOf,
  titleOf,
  warnOfKind,
} from './item-reading.ts';
import { membersOf } from './question-types.ts';

const QUESTION_ITEM = new Set(['question']);
const QUESTION = ['questionId', 'required'];
const KIND = new Set([
  ...['type', 'options', 'paragraph', 'low', 'high', 'lowLabel', 'highLabel', 'ratingScaleLevel'],
  ...['includeTime', 'includeYear', 'duration', 'maxFiles', 'maxFileSize'],
]);

interface SingleQuestion {
  /** The question; for a date with a time, including a time question. */
  readonly questions: readonly [JsonObject, ...JsonObject[]];
  /** The original member of its kind. */
  readonly kind: JsonObject;
}

/**
 * Converts an item with a single question.
 *
 * @param asked `questionItem.question`
 */
export function toSingleQuestion(located: LocatedItem, asked: JsonObject, reading: ItemReading): SingleQuestion {
  const { item, path } = located;
  const { keep, toUniqueId } = reading;
  const kind = kindOf(asked);
  const inside = `${path}/questionItem/question`;
  const { members, time, replacement } = membersOf(kind, keep, `${inside}/${kind.name}`);
  const sourceId = sourceIdOf(asked, 'questionId', located, reading);
  if (replacement !== undefined) warnOfKind(kind.name, replacement, inside, reading);
  const shared = { title: titleOf(located, reading), ...(asked['required'] === true ? { required: true } : {}) };
  const question = {
    id: idOf(sourceId, located, reading),
    ...shared,
    ...descriptionOf(located),
    ...members,
    source_data: {
      ...keep(item, ITEM_MEMBERS, path),
      ...keep(objectIn(item, 'questionItem') ?? {}, QUESTION_ITEM, `${path}/questionItem`),
      ...keep(asked, new Set([...QUESTION, kind.name]), inside),
      ...keep(kind.members, KIND, `${inside}/${kind.name}`),
      source_id: sourceId,
      type: kind.name,
    },
  };
  if (time === undefined) return { questions: [question], kind: kind.members };
  const clock = { ...shared, type: 'time', source_data: { source_id: sourceId, part: 'time' } };
  return { questions: [question, { id: toUniqueId(`${sourceId}_time`), ...clock }], kind: kind.members };
}
