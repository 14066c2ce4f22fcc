import type { JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { type JsonItem, readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';

/**
 * Streams the responses of a file: the items of the first location that has any. Throws `INVALID_IMPORT` if no location
 * has an array.
 */
export async function* readResponseItemsAt(
  file: ImportFile,
  locations: readonly (readonly string[])[],
  expected: string,
): AsyncGenerator<JsonItem> {
  for (const location of locations) {
    let isEmpty = true;
    for await (const item of readJsonItems(file, location)) {
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
