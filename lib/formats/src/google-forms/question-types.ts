import type { JsonObject } from '@bufbuild/protobuf';
import { createUniqueOptionIds } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import { integerIn, objectsIn, type QuestionKind, textIn } from './item.ts';

interface QuestionMembers {
  readonly members: JsonObject;
  /** Whether a date has a time, which becomes a second question. */
  readonly time?: true;
  /** The replacement type for the warning, if the conversion is not exact. */
  readonly replacement?: string;
}

const OPTION_MEMBERS = new Set(['value', 'isOther', 'goToAction', 'goToSectionId']);
const MAX_SCALE = 1_000;

/**
 * Converts the kind of a question.
 *
 * @param path JSON pointer to the member that describes the kind, such as `…/choiceQuestion`
 */
export function membersOf({ name, members }: QuestionKind, keep: KeepMembers, path: string): QuestionMembers {
  switch (name) {
    case 'choiceQuestion':
      return choiceMembers(members, keep, path);
    case 'textQuestion':
      return { members: { type: members['paragraph'] === true ? 'textarea' : 'text' } };
    case 'scaleQuestion':
      return { members: scaleMembers(members) };
    case 'ratingQuestion':
      return { members: { type: 'rating', min: 1, max: clampMax(integerIn(members, 'ratingScaleLevel') ?? 5, 1) } };
    case 'dateQuestion':
      // The API leaves out members that are false.
      if (members['includeYear'] !== true)
        return { members: { type: 'text' }, replacement: 'a text, because it has no year' };
      return { members: { type: 'date' }, ...(members['includeTime'] === true ? { time: true } : {}) };
    case 'timeQuestion':
      if (members['duration'] === true)
        return { members: { type: 'text' }, replacement: 'a text, because it is a duration' };
      return { members: { type: 'time' } };
    case 'fileUploadQuestion':
      return { members: fileMembers(members) };
    default:
      return { members: { type: 'textarea' }, replacement: 'a text' };
  }
}

/** Converts options or columns. Google Forms identifies them only by their value. */
export function readOptions(list: JsonObject, keep: KeepMembers, path: string): JsonObject[] {
  const toUniqueId = createUniqueOptionIds();
  return objectsIn(list, 'options')
    .filter((option) => option['isOther'] !== true)
    .map((option, index) => {
      const value = textIn(option, 'value');
      const text = value === '' ? `Option ${index + 1}` : value;
      const kept = keep(option, OPTION_MEMBERS, `${path}/options/${index}`);
      return { id: toUniqueId(text), text, source_data: { ...kept, source_id: text } };
    });
}

function choiceMembers(members: JsonObject, keep: KeepMembers, path: string): QuestionMembers {
  const options = readOptions(members, keep, path);
  if (options.length === 0) return { members: { type: 'textarea' }, replacement: 'a text, because it has no options' };
  const hasOther = objectsIn(members, 'options').some((option) => option['isOther'] === true);
  return {
    members: {
      type: members['type'] === 'CHECKBOX' ? 'multiple_choice' : 'single_choice',
      options,
      ...(hasOther ? { allow_other: true } : {}),
    },
  };
}

function scaleMembers(members: JsonObject): JsonObject {
  const min = integerIn(members, 'low') ?? 0;
  const max = clampMax(integerIn(members, 'high') ?? 5, min);
  const labels = [
    [String(min), textIn(members, 'lowLabel')],
    [String(max), textIn(members, 'highLabel')],
  ].filter(([, label]) => label !== '');
  return { type: 'rating', min, max, ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }) };
}

function clampMax(max: number, min: number): number {
  return Math.min(Math.max(max, min), min + MAX_SCALE);
}

function fileMembers(members: JsonObject): JsonObject {
  const [files, bytes] = [integerIn(members, 'maxFiles'), integerIn(members, 'maxFileSize')];
  return {
    type: 'file_upload',
    ...(files !== undefined && files > 0 ? { max_files: files } : {}),
    ...(bytes !== undefined && bytes > 0 ? { max_bytes: bytes } : {}),
  };
}
