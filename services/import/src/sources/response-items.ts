import type { JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { type JsonItem, readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';

/**
 * The responses of a file, however long it is: the items of the first of some places that has any. A file without any is
 * refused, unless one of the places has an empty array.
 */
export async function* readResponseItemsAt(
  file: ImportFile,
  places: readonly (readonly string[])[],
  expected: string,
): AsyncGenerator<JsonItem> {
  for (const place of places) {
    let isEmpty = true;
    for await (const item of readJsonItems(file, place)) {
      isEmpty = false;
      yield item;
    }
    if (!isEmpty) return;
  }
  const data = await readJson(file);
  if (places.some((place) => isArray(valueAt(data, place)))) return;
  throw invalidImport([{ path: '', code: 'WRONG_TYPE', detail: `The file has to hold ${expected}` }]);
}

function valueAt(data: JsonValue, place: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const name of place) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
