import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { invalidImport } from '../../files/invalid-import.ts';

/** Something of the file, and where it stands there. */
export interface Placed {
  readonly path: string;
  readonly value: JsonObject;
}

/** A survey as Qualtrics exports it, taken apart into its elements. */
export interface Qsf {
  readonly entry: JsonObject;
  /** The payloads of questions by their id, such as `QID1`. */
  readonly questions: ReadonlyMap<string, Placed>;
  /** Those that are not in the trash, by their id, in the order of the file. */
  readonly blocks: ReadonlyMap<string, Placed>;
  /** Ids of questions in the trash. */
  readonly trash: ReadonlySet<string>;
  /** The flow of the survey; undefined when the file has none. */
  readonly flow: Placed | undefined;
  /** Everything else. */
  readonly others: readonly Placed[];
}

/** Throws `INVALID_IMPORT` when the file is no QSF. */
export function readQsf(file: JsonValue): Qsf {
  if (!isObject(file) || !isObject(file['SurveyEntry'])) throw refusal('/SurveyEntry', 'an object SurveyEntry');
  const elements = file['SurveyElements'];
  if (!isArray(elements)) throw refusal('/SurveyElements', 'an array SurveyElements');
  const questions = new Map<string, Placed>();
  const blocks = new Map<string, Placed>();
  const trash = new Set<string>();
  const others: Placed[] = [];
  let flow: Placed | undefined;
  for (const [index, element] of elements.entries()) {
    const path = `/SurveyElements/${index}`;
    if (!isObject(element))
      throw invalidImport([{ path, code: 'WRONG_TYPE', detail: 'An element has to be an object' }]);
    const payload = element['Payload'];
    const inside = { path: `${path}/Payload`, value: isObject(payload) ? payload : {} };
    const kind = element['Element'];
    if (kind === 'SQ') questions.set(idOf(payload, 'QuestionID') ?? String(element['PrimaryAttribute']), inside);
    else if (kind === 'BL') sortBlocks(payload, inside.path, blocks, trash);
    else if (kind === 'FL') flow ??= inside;
    else others.push({ path, value: element as JsonObject });
  }
  if (questions.size === 0) throw refusal('/SurveyElements', 'at least one question, an element SQ');
  return { entry: file['SurveyEntry'] as JsonObject, questions, blocks, trash, flow, others };
}

/** The items of what is a list in one file, and an object with numbers for names in another. */
export function listOf(value: JsonValue | undefined, path: string): readonly (Placed & { readonly key: string })[] {
  return membersOf(value).flatMap(([key, item]) =>
    isObject(item) ? [{ key, path: pointer(path, key), value: item }] : [],
  );
}

/** The same, of what need not be objects. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [key: string, item: JsonValue])[] {
  if (isArray(value)) return value.map((item, index) => [String(index), item as JsonValue]);
  return isObject(value) ? Object.entries(value) : [];
}

/** A name or number of the file as a text; undefined when it is neither. */
export function nameOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function sortBlocks(
  payload: JsonValue | undefined,
  path: string,
  blocks: Map<string, Placed>,
  trash: Set<string>,
): void {
  for (const { key, path: place, value } of listOf(payload, path)) {
    if (value['Type'] !== 'Trash') blocks.set(idOf(value, 'ID') ?? key, { path: place, value });
    else
      for (const { value: element } of listOf(value['BlockElements'], place)) trash.add(String(element['QuestionID']));
  }
}

function idOf(value: JsonValue | undefined, name: string): string | undefined {
  return isObject(value) ? nameOf(value[name]) : undefined;
}

function refusal(path: string, what: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail: `A survey of Qualtrics (QSF) has to have ${what}` }]);
}
