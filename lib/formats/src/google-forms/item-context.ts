import type { JsonObject } from '@bufbuild/protobuf';
import type { ToUniqueId } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import type { WarnOnce } from '../files/report.ts';
import { textIn } from './item.ts';

export interface ItemContext {
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
  readonly toUniqueId: ToUniqueId;
}

export interface LocatedItem {
  readonly item: JsonObject;
  readonly index: number;
  readonly path: string;
}

export const ITEM_MEMBERS: ReadonlySet<string> = new Set([
  ...['itemId', 'title', 'description', 'questionItem', 'questionGroupItem', 'pageBreakItem', 'textItem'],
]);

/** The id of an item in Google Forms. Forms that are not created yet have no ids. */
export function sourceIdOf(
  owner: JsonObject,
  name: string,
  { index, path }: LocatedItem,
  context: ItemContext,
): string {
  const id = textIn(owner, name);
  if (id !== '') return id;
  const detail = 'Items without an id are numbered';
  context.warnOnce('id', { path, code: 'ID_CHANGED', detail });
  return `item_${index + 1}`;
}

export function idOf(sourceId: string, { path }: LocatedItem, { toUniqueId, warnOnce }: ItemContext): string {
  const id = toUniqueId(sourceId);
  if (id !== sourceId) {
    warnOnce(sourceId, { path, code: 'ID_CHANGED', detail: `The id is invalid or duplicate; the new id is ${id}` });
  }
  return id;
}

export function titleOf({ item, path }: LocatedItem, { warnOnce }: ItemContext): string {
  const title = textIn(item, 'title');
  if (title !== '') return title;
  warnOnce('title', { path, code: 'TITLE_MADE', detail: 'A question without a title is called Question' });
  return 'Question';
}

export function descriptionOf({ item }: LocatedItem): JsonObject {
  const description = textIn(item, 'description');
  return description === '' ? {} : { description };
}

/**
 * Warns that a kind of item has no equivalent.
 *
 * @param replacement type or text that the item becomes
 */
export function warnOfKind(kind: string, replacement: string, path: string, { warnOnce }: ItemContext): void {
  const detail = `${kind === '' ? 'An unknown item' : kind} has no equivalent question type and becomes ${replacement}`;
  warnOnce(`${kind} ${replacement}`, { path, code: 'NO_SUCH_TYPE', detail });
}
