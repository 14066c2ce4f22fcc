import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { readCsvRows } from '../files/csv-rows.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { readJsonItems } from '../files/json-items.ts';
import { readJson } from '../files/read-json.ts';
import { readTextPieces } from '../files/read-text.ts';
import type { FileResponse } from '../shared/file-response.ts';
import type { ResponseFileReader, Warn } from '../shared/reader.ts';
import { createWarnOnce } from '../shared/warn-once.ts';
import { createSubmissionReader } from './submissions.ts';

/** Paths of submission lists: alone, in Kobo's API, in a Kobo asset, in the OData service of ODK Central. */
const LOCATIONS: readonly (readonly string[])[] = [[], ['results'], ['submissions'], ['value']];
const MAX_DEPTH = 32;
/** Members that Kobo adds. `__system` is a group of ODK. */
const OF_KOBO = /^_[^_]/;

/** Reads JSON submissions of Kobo and ODK Central. */
export const readXlsformJsonResponses: ResponseFileReader = async function* (file, { payload }, options) {
  for (const location of LOCATIONS) {
    const submissions = readSubmissionItems(file, location, payload, options);
    const first = await submissions.next();
    if (first.done === true) continue;
    yield first.value;
    yield* submissions;
    return;
  }
  const root = await readJson(file);
  const isList = Array.isArray(root) || (isObject(root) && LOCATIONS.some(([name = '']) => Array.isArray(root[name])));
  if (!isList) throw reject('NO_RESPONSES', 'The file must be an array of submissions');
};

/** Reads the submissions of a list at a path. */
export async function* readSubmissionItems(
  file: ImportFile,
  location: readonly string[],
  payload: JsonObject,
  { warn }: { readonly warn: Warn },
): AsyncGenerator<FileResponse> {
  const read = createSubmissionReader(payload, createWarnOnce(warn));
  for await (const { index, path, value } of readJsonItems(file, location)) {
    if (!isObject(value)) {
      yield { index, id: '', code: 'WRONG_TYPE', detail: 'The submission must be an object' };
      continue;
    }
    const cells = new Map<string, JsonValue>();
    flatten(value, '', cells, 0);
    yield read({ index, cells, pathOf: () => path, location: '' });
  }
}

/** Flattens groups to `group/name`: OData has nested objects, Kobo writes the path. */
function flatten(object: JsonObject, base: string, cells: Map<string, JsonValue>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    if (isAbsent(value)) continue;
    const location = base === '' ? name : `${base}/${name}`;
    const isGroup = isObject(value) && !OF_KOBO.test(name) && !('coordinates' in value) && depth < MAX_DEPTH;
    if (isGroup) flatten(value, location, cells, depth + 1);
    else cells.set(location, value);
  }
}

/** Reads CSV submissions of ODK Central, or of Kobo with names or labels as headings. */
export const readXlsformCsvResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  const read = createSubmissionReader(payload, createWarnOnce(warn));
  let header: readonly string[] | undefined;
  let index = 0;
  for await (const { number, cells } of readCsvRows(file, { delimiter: await delimiterOf(file) })) {
    if (header === undefined) {
      header = cells.map((cell) => cell.trim());
      checkHeader(header, read.names);
      continue;
    }
    const names = header;
    if (cells.length > names.length) {
      const detail = `row ${number}: the row has ${cells.length} cells, but there are ${names.length} columns`;
      yield { index, id: '', row: number, code: 'TOO_MANY_CELLS', detail };
    } else {
      const given = cells.flatMap((cell, column): readonly (readonly [string, JsonValue])[] =>
        cell.trim() === '' || names[column] === '' ? [] : [[names[column] ?? '', cell]],
      );
      const response = read({ index, cells: new Map(given), pathOf: () => '', location: `row ${number}` });
      yield { ...response, row: number };
    }
    index += 1;
  }
  if (header === undefined) throw reject('BAD_HEADER', 'there is no header row');
};

function checkHeader(header: readonly string[], names: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const name of header) {
    if (name !== '' && seen.has(name)) {
      throw reject('BAD_HEADER', `row 1, column ${name.slice(0, 200)}: the column is duplicate`);
    }
    seen.add(name);
  }
  if (!header.some((name) => names.has(name) || names.has(name.replace(/\/[^/]*$/, '')))) {
    throw reject('BAD_HEADER', 'row 1: no column names a question of the survey');
  }
}

/** Detects the delimiter of the header. Kobo writes semicolons by default. */
async function delimiterOf(file: ImportFile): Promise<string> {
  let start = '';
  for await (const piece of readTextPieces(file)) {
    start += piece;
    if (start.includes('\n') || start.length > 64 * 1024) break;
  }
  const line = (start.split('\n', 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => line.split(delimiter).length;
  return [';', '\t'].find((delimiter) => count(delimiter) > count(',')) ?? ',';
}

function reject(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
