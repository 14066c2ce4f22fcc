import type { JsonObject } from '@bufbuild/protobuf';
import type { FitId } from '../fitting-ids.ts';
import type { KeepMembers } from '../keep-members.ts';
import type { WarnOnce } from '../warn-once.ts';
import { textIn } from './item.ts';

/** What all items of a form are read with. */
export interface ItemReading {
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
  readonly fitId: FitId;
}

/** An item, and where it stands. */
export interface PlacedItem {
  readonly item: JsonObject;
  readonly index: number;
  readonly path: string;
}

/** Members of an item that have a home. */
export const ITEM_MEMBERS: ReadonlySet<string> = new Set([
  ...['itemId', 'title', 'description', 'questionItem', 'questionGroupItem', 'pageBreakItem', 'textItem'],
]);

/** What Google calls it: the id in a member of it; a form that is not made yet has none. */
export function sourceIdOf(owner: JsonObject, name: string, { index, path }: PlacedItem, reading: ItemReading): string {
  const id = textIn(owner, name);
  if (id !== '') return id;
  const detail = 'Items without an id, as before a form is made, are numbered';
  reading.warnOnce('id', { path, code: 'ID_CHANGED', detail });
  return `item_${index + 1}`;
}

export function idOf(sourceId: string, { path }: PlacedItem, { fitId, warnOnce }: ItemReading): string {
  const id = fitId(sourceId);
  if (id !== sourceId) {
    warnOnce(sourceId, { path, code: 'ID_CHANGED', detail: `The id is no id here, or taken: it becomes ${id}` });
  }
  return id;
}

export function titleOf({ item, path }: PlacedItem, { warnOnce }: ItemReading): string {
  const title = textIn(item, 'title');
  if (title !== '') return title;
  warnOnce('title', { path, code: 'TITLE_MADE', detail: 'A question without a title is called Question' });
  return 'Question';
}

export function descriptionOf({ item }: PlacedItem): JsonObject {
  const description = textIn(item, 'description');
  return description === '' ? {} : { description };
}

/** @param nearest what it becomes */
export function warnOfKind(kind: string, nearest: string, path: string, { warnOnce }: ItemReading): void {
  const detail = `There is no question type for ${kind === '' ? 'it' : `a ${kind}`}: it becomes ${nearest}`;
  warnOnce(`${kind} ${nearest}`, { path, code: 'NO_SUCH_TYPE', detail });
}
