import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, ownMember, setMember } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { toUnknown } from '../core/columns/choices.ts';
import { shortenValue } from '../core/responses/metadata.ts';
import { type UnassignedValue, unknownQuestion } from '../core/responses/response.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { questionsOf, type SourceOption, toSourceOptions } from '../core/source-questions.ts';
import { OTHER_TEXT } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { foldText, isNumberLike } from './logic.ts';

interface ReadResult {
  readonly answers: JsonObject;
  /** Reads a member about the result itself, such as its id; undefined if a question has this name. */
  readDetail(name: string): string | undefined;
  /** Members without a question. */
  readonly rest: JsonObject;
  readonly unassigned: readonly UnassignedValue[];
  readonly hasFiles: boolean;
}

type IdOf = (value: JsonValue) => JsonValue;
type ToAnswer = (value: JsonValue, result: JsonObject) => JsonValue | undefined;

interface AnswerTarget extends AnswerLocation {
  readonly id: string;
  /** Member of the result with the answer. */
  readonly name: string;
  readonly toAnswer: ToAnswer;
}

/** Members about the result itself. `HappendAt` is the spelling of the SurveyJS service. */
const DETAILS = ['InstanceId', 'instanceId', 'id', 'HappendAt', 'HappenedAt', 'createdAt', 'locale', 'pageNo'];
const COMMENT = '-Comment';

/** Reads results, as SurveyJS calls responses, by the names that the survey keeps in `source_data`. */
export function createAnswerReader(
  payload: JsonObject,
  warnOnce: WarnOnce,
): (result: JsonObject, path: string) => ReadResult {
  const questions = questionsOf(payload);
  const targets = questions.flatMap((question) => toAnswerTarget(question) ?? []);
  /** Finds the parts of a member's value that no question takes, by the name of the member. */
  const lostPartsIn = new Map(
    [...Map.groupBy(targets, ({ name }) => name)].map(([name, locations]) => [name, createFindLostParts(locations)]),
  );
  const namesWhere = (isWanted: (question: JsonObject) => boolean) =>
    new Set(questions.filter(isWanted).map((question) => sourceDataOf(question)['source_id']));
  const namesWithOther = namesWhere((question) => question['allow_other'] === true);
  const namesOfFiles = namesWhere(({ type }) => type === 'file_upload');
  // The text of `other` is in the answer to its question.
  const isTextOfOther = (name: string) => name.endsWith(COMMENT) && namesWithOther.has(name.slice(0, -COMMENT.length));

  return (result, path) => {
    const rest: [string, JsonValue][] = [];
    const [unknown, lost]: [UnassignedValue[], UnassignedValue[]] = [[], []];
    for (const [name, value] of Object.entries(result)) {
      if (isAbsent(value)) continue;
      const lostParts = lostPartsIn.get(name)?.(value);
      if (lostParts !== undefined) {
        const detail = 'the survey has no question for a part of the value';
        lost.push({ column: name, code: 'UNKNOWN_QUESTION', detail, value: lostParts });
      }
      if (lostPartsIn.has(name) || DETAILS.includes(name) || isTextOfOther(name)) continue;
      const isFile = namesOfFiles.has(name);
      const detail = isFile
        ? `The files of ${name.slice(0, 200)} are not imported; their names are kept in the metadata`
        : `The survey has no question ${name.slice(0, 200)}; its value is kept in the metadata`;
      warnOnce(name, { path: pointer(path, name), code: isFile ? 'NOT_IMPORTED' : 'KEPT_AS_SOURCE_DATA', detail });
      rest.push([name, isFile ? withoutContent(value) : shortenValue(value)]);
      if (!isFile) unknown.push(unknownQuestion(name, { keptAs: ['source_data', name] }));
    }
    return {
      answers: readAnswers(result, targets),
      readDetail(name) {
        const value = lostPartsIn.has(name) ? undefined : ownMember(result, name);
        return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
      },
      rest: Object.fromEntries(rest),
      unassigned: [...unknown, ...lost],
      hasFiles: rest.length > unknown.length,
    };
  };
}

function readAnswers(result: JsonObject, targets: readonly AnswerTarget[]): JsonObject {
  const answers = targets.flatMap(({ id, name, path, toAnswer }) => {
    const value = path.reduce<unknown>(
      (part, step) => (isObject(part) ? ownMember(part, step) : undefined),
      ownMember(result, name),
    );
    const answer = isAbsent(value) ? undefined : toAnswer(value as JsonValue, result);
    return answer === undefined ? [] : [[id, answer] as const];
  });
  return Object.fromEntries(answers);
}

/** The reader of the answer to a question; undefined if the question is not from the file, or takes files. */
function toAnswerTarget(question: JsonObject): AnswerTarget | undefined {
  const source = sourceDataOf(question);
  const { source_id: name, item, column, row, part } = source;
  if (typeof name !== 'string' || question['type'] === 'file_upload') return undefined;
  const id = String(question['id']);
  if (part === 'comment') return { id, name: `${name}${COMMENT}`, path: [], toAnswer: toText };
  const toAnswer = toAnswerOf(question, source);
  if (typeof item === 'string') return { id, name, path: [item], toAnswer };
  if (typeof column !== 'string') return { id, name, path: [], toAnswer };
  if (row !== undefined) return { id, name, path: [String(row), column], toAnswer };
  return { id, name, path: [], column, toAnswer: (value, result) => toAnswer(columnOf(value, column), result) };
}

function toAnswerOf(question: JsonObject, source: JsonObject): ToAnswer {
  const choices = choicesOf(question);
  const columns = toSourceOptions(question, 'columns');
  const [rowIdOf, columnIdOf] = [
    createOptionIdLookup(toSourceOptions(question, 'rows')),
    createOptionIdLookup(columns),
  ];
  if (source['kept_as'] === 'json') return toJsonText;
  if (source['kept_as'] === 'ranks')
    return (value) =>
      toRanks(
        value,
        rowIdOf,
        columns.map(({ id }) => id),
      );
  switch (question['type']) {
    case 'single_choice':
      return (value, result) => toChoice(value, choices, commentOf(result, source));
    case 'multiple_choice':
      return (value, result) => toChoices(value, choices, commentOf(result, source));
    case 'likert':
      return choices.idOf;
    case 'matrix':
      return (value) => toRows(value, rowIdOf, columnIdOf);
    case 'date':
      // Some tools add midnight as the time.
      return (value) => (typeof value === 'string' ? value.replace(/T.*$/s, '') : value);
    case 'rating':
      return (value) => value;
    default:
      return toText;
  }
}

function commentOf(result: JsonObject, { source_id: name }: JsonObject): string {
  const comment = ownMember(result, `${String(name)}${COMMENT}`);
  return typeof comment === 'string' ? comment : '';
}

function toText(value: JsonValue): JsonValue {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function toJsonText(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Choices {
  readonly idOf: IdOf;
  readonly ids: ReadonlySet<JsonValue>;
  readonly allowsOther: boolean;
}

function choicesOf(question: JsonObject): Choices {
  const options = toSourceOptions(question, 'options');
  return {
    idOf: createOptionIdLookup(options),
    ids: new Set<JsonValue>(options.map(({ id }) => id)),
    allowsOther: question['allow_other'] === true,
  };
}

/** The name of an unknown option, as in the file. */
function nameOf(unknown: JsonValue): string {
  return String(isObject(unknown) ? unknown['value'] : unknown);
}

/** The name of a row, which is unknown if it is no text. */
function keyOf(row: JsonValue): string {
  return typeof row === 'string' ? row : JSON.stringify(row);
}

/** A value that is not an option is the text of `other`. */
function toChoice(value: JsonValue, { idOf, ids, allowsOther }: Choices, comment: string): JsonValue {
  const id = idOf(value);
  if (!allowsOther) return id;
  if (id === 'other') return { option: 'other', text: comment || OTHER_TEXT };
  return ids.has(id) ? id : { option: 'other', text: nameOf(id) };
}

function toChoices(value: JsonValue, { idOf, ids, allowsOther }: Choices, comment: string): JsonValue {
  const found = (Array.isArray(value) ? value : [value]).map(idOf);
  if (!allowsOther) return found;
  const isFreeText = (id: JsonValue) => id === 'other' || !ids.has(id);
  const [others, chosen] = [found.filter(isFreeText), found.filter((id) => !isFreeText(id))];
  if (others.length === 0) return chosen;
  const texts = others.map((id) => (id === 'other' ? comment : nameOf(id))).filter((text) => text !== '');
  return { options: chosen, other: texts.join(', ') || OTHER_TEXT };
}

function toRows(value: JsonValue, rowIdOf: IdOf, columnIdOf: IdOf): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, cell]) => !isAbsent(cell))
      .map(([row, cell]) => [keyOf(rowIdOf(row)), Array.isArray(cell) ? cell.map(columnIdOf) : columnIdOf(cell)]),
  );
}

/** Picks a column: `{row: {column: value}}` → `{row: value}`. */
function columnOf(value: JsonValue, column: string): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([row, cells]) => [
      row,
      (isObject(cells) ? (ownMember(cells, column) as JsonValue | undefined) : undefined) ?? null,
    ]),
  );
}

/** Converts an order to ranks: `[first, second]` → `{first: '1', second: '2'}`. */
function toRanks(value: JsonValue, rowIdOf: IdOf, ranks: readonly string[]): JsonValue {
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(value.map((item, index) => [keyOf(rowIdOf(item)), ranks[index] ?? String(index + 1)]));
}

/** Metadata of files, without their content. */
function withoutContent(value: JsonValue): JsonValue {
  const files = Array.isArray(value) ? value : [value];
  return files.map((file) => (isObject(file) ? { name: file['name'] ?? null, type: file['type'] ?? null } : '…'));
}

/**
 * Creates a lookup of option ids by value. It finds the option with exactly this value; if there is none, the first one
 * that is equal in SurveyJS expressions (see `isSameValue`) or as JSON. It takes the same time for any number of
 * options. Unknown values become values that validation rejects. See `toUnknown`.
 */
export function createOptionIdLookup(options: readonly SourceOption[]): (value: JsonValue) => JsonValue {
  const exact = new Map<JsonValue, string>();
  const positions = new Map<string, number>();
  for (const [position, { id, value }] of options.entries()) {
    if (!exact.has(value)) exact.set(value, id);
    for (const key of keysOf(value)) if (!positions.has(key)) positions.set(key, position);
  }
  return (value) => {
    const same = exact.get(value);
    if (same !== undefined) return same;
    const found = equalKeysOf(value).flatMap((key) => positions.get(key) ?? []);
    const option = found.length === 0 ? undefined : options[Math.min(...found)];
    if (option !== undefined) return option.id;
    return toUnknown(typeof value === 'object' ? JSON.stringify(value) : String(value), options);
  };
}

/**
 * Keys of an option's value. A text has further keys, because SurveyJS also compares it with booleans and, if it is
 * numeric, with numbers.
 */
function keysOf(value: JsonValue): readonly string[] {
  if (typeof value === 'object') return [`json ${JSON.stringify(value)}`];
  if (typeof value !== 'string') return [`${typeof value} ${String(value)}`];
  const keys = [`string ${foldText(value)}`, `text as boolean ${value.toLowerCase()}`];
  return isNumberLike(value) ? [...keys, `text as number ${Number(value)}`] : keys;
}

/** Keys of the options that are equal to a value. */
function equalKeysOf(value: JsonValue): readonly string[] {
  switch (typeof value) {
    case 'string':
      return [
        `string ${foldText(value)}`,
        `boolean ${value.toLowerCase()}`,
        ...(isNumberLike(value) ? [`number ${Number(value)}`] : []),
      ];
    case 'number':
      return [
        `number ${value}`,
        `text as number ${value}`,
        ...(value === 0 || value === 1 ? [`boolean ${value === 1}`] : []),
      ];
    case 'boolean':
      return [`text as boolean ${value}`, `number ${Number(value)}`];
    default:
      return keysOf(value);
  }
}

/** Locates the answer to a question in a member of a SurveyJS result. */
interface AnswerLocation {
  /** Path in the member's value; empty for the whole value. */
  readonly path: readonly string[];
  /** Name of the column, if the question has one column of all rows. */
  readonly column?: string;
}

/** Returns the parts of a member's value that no question takes; undefined if there are none. */
type FindLostParts = (value: JsonValue) => JsonValue | undefined;

/**
 * Creates a search for the parts of a member's value that belong to no question. An example is a text or a column that
 * was removed from the survey.
 *
 * @param locations locations of the answers to all questions of the member
 */
function createFindLostParts(locations: readonly AnswerLocation[]): FindLostParts {
  if (locations.some(({ path, column }) => path.length === 0 && column === undefined)) return () => undefined;
  const columns = new Set(locations.flatMap(({ column }) => column ?? []));
  const taken = new Set(locations.map(({ path }) => pathKeyOf(path)));
  const hasCells = columns.size > 0 || locations.some(({ path }) => path.length > 1);

  function partsOf(row: string, value: JsonValue): JsonValue | undefined {
    if (taken.has(pathKeyOf([row]))) return undefined;
    if (!hasCells || !isObject(value)) return value;
    return pick(value as JsonObject, (column, cell) =>
      columns.has(column) || taken.has(pathKeyOf([row, column])) ? undefined : cell,
    );
  }

  // Questions of columns read a value that is not an object as a whole, so no part of it is lost.
  const partsOfNonObject = (value: JsonValue) => (columns.size > 0 ? undefined : value);
  return (value) => (isObject(value) ? pick(value as JsonObject, partsOf) : partsOfNonObject(value));
}

/** The members for which `change` returns a value, with this value; undefined if there are none. */
function pick(
  object: JsonObject,
  change: (name: string, value: JsonValue) => JsonValue | undefined,
): JsonObject | undefined {
  const picked: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const left = isAbsent(value) ? undefined : change(name, value);
    if (left !== undefined) setMember(picked, name, left);
  }
  return Object.keys(picked).length === 0 ? undefined : picked;
}

function pathKeyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
