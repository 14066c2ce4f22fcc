import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { invalidImport } from '../files/report.ts';

/** An object of the file with its location (JSON pointer). */
export interface Located {
  readonly path: string;
  readonly value: JsonObject;
}

/** A Qualtrics export (QSF), split into its elements. */
export interface Qsf {
  /** `SurveyEntry`: the settings of the survey. */
  readonly entry: JsonObject;
  /** Payloads of questions by id, such as `QID1`. */
  readonly questions: ReadonlyMap<string, Located>;
  /** Blocks that are not in the trash, by id, in the order of the file. */
  readonly blocks: ReadonlyMap<string, Located>;
  /** Ids of the questions in the trash. */
  readonly trash: ReadonlySet<string>;
  readonly flow: Located | undefined;
  /** Elements other than questions, blocks and the flow. */
  readonly others: readonly Located[];
}

/** Splits a QSF file into its elements. Throws `INVALID_IMPORT` if it is not a QSF. */
export function readQsf(file: JsonValue): Qsf {
  if (!isObject(file) || !isObject(file['SurveyEntry'])) throw rejection('/SurveyEntry', 'an object SurveyEntry');
  const elements = file['SurveyElements'];
  if (!isArray(elements)) throw rejection('/SurveyElements', 'an array SurveyElements');
  const questions = new Map<string, Located>();
  const blocks = new Map<string, Located>();
  const trash = new Set<string>();
  const others: Located[] = [];
  let flow: Located | undefined;
  for (const [index, element] of elements.entries()) {
    const path = `/SurveyElements/${index}`;
    if (!isObject(element)) throw invalidImport([{ path, code: 'WRONG_TYPE', detail: 'An element must be an object' }]);
    const payload = element['Payload'];
    const located = { path: `${path}/Payload`, value: isObject(payload) ? payload : {} };
    const kind = element['Element'];
    if (kind === 'SQ') questions.set(idOf(payload, 'QuestionID') ?? String(element['PrimaryAttribute']), located);
    else if (kind === 'BL') separateTrash(payload, located.path, blocks, trash);
    else if (kind === 'FL') flow ??= located;
    else others.push({ path, value: element as JsonObject });
  }
  if (questions.size === 0) throw rejection('/SurveyElements', 'at least one question, an element SQ');
  return { entry: file['SurveyEntry'] as JsonObject, questions, blocks, trash, flow, others };
}

/** The objects of a list. Files have either an array, or an object with numbers as names. */
export function listOf(value: JsonValue | undefined, path: string): readonly (Located & { readonly key: string })[] {
  return membersOf(value).flatMap(([key, item]) =>
    isObject(item) ? [{ key, path: pointer(path, key), value: item }] : [],
  );
}

/** The items of an array or object, of any type. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [key: string, item: JsonValue])[] {
  if (isArray(value)) return value.map((item, index) => [String(index), item as JsonValue]);
  return isObject(value) ? Object.entries(value) : [];
}

/** A string or number as a string; otherwise undefined. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function separateTrash(
  payload: JsonValue | undefined,
  path: string,
  blocks: Map<string, Located>,
  trash: Set<string>,
): void {
  for (const { key, path: blockPath, value } of listOf(payload, path)) {
    if (value['Type'] !== 'Trash') blocks.set(idOf(value, 'ID') ?? key, { path: blockPath, value });
    else
      for (const { value: element } of listOf(value['BlockElements'], blockPath))
        trash.add(String(element['QuestionID']));
  }
}

function idOf(value: JsonValue | undefined, name: string): string | undefined {
  return isObject(value) ? scalarText(value[name]) : undefined;
}

function rejection(path: string, expected: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail: `A survey of Qualtrics (QSF) must have ${expected}` }]);
}
