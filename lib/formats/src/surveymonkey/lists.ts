import type { JsonObject } from '@bufbuild/protobuf';
import { createUniqueOptionIds } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import type { HtmlToText } from '../core/texts.ts';
import { isShown, type SurveyMonkeyItem } from './question.ts';

/** Converts choices, rows or columns to options, with their ids as source data. */
export type ReadList = (items: readonly SurveyMonkeyItem[]) => JsonObject[];

/** Members that are converted. The order replaces `position`, and hidden items (`visible`) are inactive. */
export const ITEM_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'text',
  'position',
  'visible',
  'choices',
  'required',
  'type',
]);

export function createReadList(toText: HtmlToText, keep: KeepMembers): ReadList {
  return (items) => {
    const toUniqueId = createUniqueOptionIds();
    return items.map(({ source, path }, index) => {
      const id = String(source['id'] ?? '');
      const text = toText(String(source['text'] ?? ''), `${path}/text`);
      return {
        id: toUniqueId(id === '' ? text : id),
        text: text === '' ? String(source['weight'] ?? index + 1) : text,
        ...(isShown(source) ? {} : { inactive: true }),
        source_data: { ...keep(source, ITEM_MEMBERS, path), source_id: id === '' ? text : id },
      };
    });
  };
}
