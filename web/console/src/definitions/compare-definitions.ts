import { isArray, isObject, isSameJson, itemsOf, type JsonObject } from '@survey/questionnaire/json';
import { diffArrays } from 'diff';

/** A value that differs between two definitions. `before` or `after` is undefined if that definition lacks it. */
export interface ValueChange {
  /** Names and ids that lead to the value, such as `['options', 'red', 'text']`. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

export interface QuestionChange {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** The newer state of the question, or the last one if it was removed. */
  readonly question: JsonObject;
  /** Whether the question is at another position, possibly with other changes. */
  readonly isMoved: boolean;
  /** Changed members; none for questions that were added or removed. */
  readonly changes: readonly ValueChange[];
}

export interface DefinitionChanges {
  readonly questions: readonly QuestionChange[];
  /** Changes of everything but the questions. */
  readonly others: readonly ValueChange[];
}

interface LocatedQuestion {
  readonly page: number;
  readonly source: JsonObject;
}

/** Compares two definitions. Questions, options and other items are matched by their id if they have one. */
export function compareDefinitions(before: object, after: object): DefinitionChanges {
  const old = questionsOf(before);
  const current = questionsOf(after);
  const moved = findMoved([...old.keys()], [...current.keys()]);
  const questions: QuestionChange[] = [];
  for (const [id, { page, source }] of current) {
    const previous = old.get(id);
    if (previous === undefined) {
      questions.push({ id, kind: 'added', question: source, isMoved: false, changes: [] });
      continue;
    }
    const changes = listChanges(previous.source, source);
    const isMoved = moved.has(id) || (pageCount(before) === pageCount(after) && previous.page !== page);
    if (changes.length > 0 || isMoved)
      questions.push({ id, kind: changes.length > 0 ? 'changed' : 'moved', question: source, isMoved, changes });
  }
  for (const [id, { source }] of old)
    if (!current.has(id)) questions.push({ id, kind: 'removed', question: source, isMoved: false, changes: [] });
  return { questions, others: listChanges(withoutQuestions(before), withoutQuestions(after)) };
}

/** Lists the values that differ. Goes deeper as long as both values are objects or both are arrays. */
export function listChanges(before: unknown, after: unknown, path: readonly string[] = []): readonly ValueChange[] {
  if (isSameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => listChanges(memberOf(before, name), memberOf(after, name), [...path, name]));
  }
  if (isArray(before) && isArray(after)) {
    const old = byId(before);
    const current = byId(after);
    return old !== undefined && current !== undefined
      ? listItemChanges(old, current, path)
      : listPositionChanges(before, after, path);
  }
  return [{ path, before, after }];
}

function listItemChanges(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  path: readonly string[],
): readonly ValueChange[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  const changes = [...ids].flatMap((id) => listChanges(before.get(id), after.get(id), [...path, id]));
  const common = [...ids].filter((id) => before.has(id) && after.has(id));
  const order = [...after.keys()].filter((id) => before.has(id));
  return isSameJson(common, order) ? changes : [...changes, { path: [...path, 'order'], before: common, after: order }];
}

/**
 * Matches equal items first, so that an inserted item does not change all items after it. Removed items are listed with
 * their positions in `before`.
 */
function listPositionChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly string[],
): readonly ValueChange[] {
  const changes: ValueChange[] = [];
  let removed: readonly unknown[] = [];
  let oldPosition = 0;
  let position = 0;
  const addRemoved = (items: readonly unknown[], start: number) =>
    items.forEach((item, index) => {
      changes.push({ path: [...path, String(start + index + 1)], before: item, after: undefined });
    });
  for (const run of diffArrays([...before], [...after], { comparator: isSameJson })) {
    if (run.removed) {
      removed = run.value;
      continue;
    }
    const added = run.added ? run.value : [];
    added.forEach((item, index) => {
      changes.push(...listChanges(removed[index], item, [...path, String(position + index + 1)]));
    });
    addRemoved(removed.slice(added.length), oldPosition + added.length);
    oldPosition += removed.length + (run.added ? 0 : run.value.length);
    position += run.value.length;
    removed = [];
  }
  addRemoved(removed, oldPosition);
  return changes;
}

function findMoved(before: string[], after: string[]): ReadonlySet<string> {
  const runs = diffArrays(before, after);
  const removed = new Set(runs.filter((run) => run.removed).flatMap((run) => run.value));
  return new Set(runs.filter((run) => run.added).flatMap((run) => run.value.filter((id) => removed.has(id))));
}

function questionsOf(definition: object): ReadonlyMap<string, LocatedQuestion> {
  const questions = new Map<string, LocatedQuestion>();
  for (const [index, page] of pagesOf(definition).entries())
    for (const source of itemsOf(isObject(page) ? page.questions : undefined))
      if (isObject(source) && typeof source.id === 'string') questions.set(source.id, { page: index, source });
  return questions;
}

function withoutQuestions(definition: object): object {
  const pages = pagesOf(definition).map((page) => (isObject(page) ? { ...page, questions: undefined } : page));
  return { ...definition, pages };
}

function pagesOf(definition: object): readonly unknown[] {
  return itemsOf(isObject(definition) ? definition.pages : undefined);
}

function pageCount(definition: object): number {
  return pagesOf(definition).length;
}

/** Returns the items by their ids. Returns undefined if an item has no id, or if two have the same. */
function byId(items: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const found = new Map(
    items.flatMap((item) => (isObject(item) && typeof item.id === 'string' ? [[item.id, item]] : [])),
  );
  return found.size === items.length ? found : undefined;
}

function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
