import type { JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { toPointerToken } from '@survey/runtime/json/pointer';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { type JsonItem, readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';
import type { Warn } from '../files/warn.ts';

/** Members that APIs write beside the responses of a page. */
interface ApiPage {
  /** Google Forms. */
  readonly nextPageToken?: JsonValue;
  /** Kobo. */
  readonly next?: JsonValue;
  /** ODK Central. */
  readonly '@odata.nextLink'?: JsonValue;
  /** Typeform: the number of pages from this one on. */
  readonly page_count?: JsonValue;
  /** SurveyMonkey: the number of this page, from 1, of responses in a page, and of responses in all. */
  readonly page?: JsonValue;
  readonly per_page?: JsonValue;
  readonly total?: JsonValue;
}

const PAGE_MEMBERS = ['nextPageToken', 'next', '@odata.nextLink', 'page_count', 'page', 'per_page', 'total'];

function hasMorePages({ nextPageToken, next, '@odata.nextLink': link, page_count: count, ...page }: ApiPage): boolean {
  return (
    [nextPageToken, next, link].some((value) => typeof value === 'string' && value !== '') ||
    Number(count) > 1 ||
    Number(page.total) > Number(page.page) * Number(page.per_page)
  );
}

/** Streams the items of the array at a path. Warns with `MORE_PAGES` if they are one page of several of an API. */
export async function* readResponseItems(
  file: ImportFile,
  location: readonly string[],
  warn: Warn,
): AsyncGenerator<JsonItem> {
  const page: Record<string, JsonValue> = {};
  const onSibling = (name: string, value: JsonValue) => {
    if (PAGE_MEMBERS.includes(name)) page[name] = value;
  };
  yield* readJsonItems(file, location, { onSibling });
  if (!hasMorePages(page)) return;
  const detail = 'The file is one page of an API. More pages follow: fetch them, and import their responses too';
  warn({ path: location.map(toPointerToken).join(''), code: 'MORE_PAGES', detail });
}

/**
 * Streams the responses of a file: the items of the first location that has any. Warns with `MORE_PAGES` if more pages
 * follow. Throws `INVALID_IMPORT` if no location has an array.
 */
export async function* readResponseItemsAt(
  file: ImportFile,
  locations: readonly (readonly string[])[],
  expected: string,
  warn: Warn,
): AsyncGenerator<JsonItem> {
  for (const location of locations) {
    let isEmpty = true;
    for await (const item of readResponseItems(file, location, warn)) {
      isEmpty = false;
      yield item;
    }
    if (!isEmpty) return;
  }
  const data = await readJson(file);
  if (locations.some((location) => isArray(valueAt(data, location)))) return;
  throw invalidImport([{ path: '', code: 'WRONG_TYPE', detail: `The file must contain ${expected}` }]);
}

function valueAt(data: JsonValue, location: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const name of location) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
