import type { JsonObject } from '@bufbuild/protobuf';
import { kindOf, objectIn } from './item.ts';
import {
  descriptionOf,
  ITEM_MEMBERS,
  type ItemContext,
  idOf,
  type LocatedItem,
  sourceIdOf,
  titleOf,
  warnOfKind,
} from './item-context.ts';
import { membersOf } from './question-types.ts';

const QUESTION_ITEM_MEMBERS = new Set(['question']);
const QUESTION_MEMBERS = ['questionId', 'required'];
const KIND_MEMBERS = new Set([
  ...['type', 'options', 'paragraph', 'low', 'high', 'lowLabel', 'highLabel', 'ratingScaleLevel'],
  ...['includeTime', 'includeYear', 'duration', 'maxFiles', 'maxFileSize'],
]);

interface SingleQuestion {
  /** The question. A date with a time also has a second question for the time. */
  readonly questions: readonly [JsonObject, ...JsonObject[]];
  /** The member of the file that defines the kind, such as `choiceQuestion`. */
  readonly kind: JsonObject;
}

/**
 * Converts an item with a single question.
 *
 * @param asked `questionItem.question`
 */
export function toSingleQuestion(located: LocatedItem, asked: JsonObject, context: ItemContext): SingleQuestion {
  const { item, path } = located;
  const { keep, toUniqueId } = context;
  const kind = kindOf(asked);
  const questionPath = `${path}/questionItem/question`;
  const { members, time, replacement } = membersOf(kind, keep, `${questionPath}/${kind.name}`);
  const sourceId = sourceIdOf(asked, 'questionId', located, context);
  if (replacement !== undefined) warnOfKind(kind.name, replacement, questionPath, context);
  const shared = { title: titleOf(located, context), ...(asked['required'] === true ? { required: true } : {}) };
  const question = {
    id: idOf(sourceId, located, context),
    ...shared,
    ...descriptionOf(located),
    ...members,
    source_data: {
      ...keep(item, ITEM_MEMBERS, path),
      ...keep(objectIn(item, 'questionItem') ?? {}, QUESTION_ITEM_MEMBERS, `${path}/questionItem`),
      ...keep(asked, new Set([...QUESTION_MEMBERS, kind.name]), questionPath),
      ...keep(kind.members, KIND_MEMBERS, `${questionPath}/${kind.name}`),
      source_id: sourceId,
      type: kind.name,
    },
  };
  if (time === undefined) return { questions: [question], kind: kind.members };
  const timeQuestion = { ...shared, type: 'time', source_data: { source_id: sourceId, part: 'time' } };
  return { questions: [question, { id: toUniqueId(`${sourceId}_time`), ...timeQuestion }], kind: kind.members };
}
