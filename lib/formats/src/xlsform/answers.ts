import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { isChosenWord, toUnknown } from '../core/columns/choices.ts';
import { addToSet } from '../core/maps.ts';
import type { ResponseReadOptions } from '../core/reader.ts';
import { toFileResponse } from '../core/responses/items.ts';
import { keepUnknownCells, unknownColumnWarning } from '../core/responses/metadata.ts';
import type { FileResponse, UnusableValue } from '../core/responses/response.ts';
import { createTimeReader, type ReadTime } from '../core/responses/times.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { objectsOf, type SourceOption, toSourceOptions } from '../core/source-questions.ts';
import { OTHER_TEXT, textsOf } from '../core/texts.ts';
import { createWarnOnce } from '../files/report.ts';
import { ID_COLUMNS, SUBMISSION_TIME_COLUMNS, type SubmissionColumns, slashesIn } from './headers.ts';
import { toRows } from './repeats.ts';

/**
 * A response in a file of an XLSForm tool. Its cells, without empty ones, are by the path of a question in the form
 * (`meal/dishes`, `meal-dishes`), by its name or by its label. A multiple choice has one cell, or one for each choice:
 *
 * - `dishes`: `soup bread` → the options soup and bread
 * - `dishes/soup`: `1`, `dishes/bread`: `0` → the option soup. Here `soup` is called a suffix.
 * - `dishes_other`: `cake` → the text of `other`
 */
interface Submission {
  readonly index: number;
  readonly cells: ReadonlyMap<string, JsonValue>;
  /** JSON pointer; empty for a row. */
  readonly path: string;
  /** Rows of repeats by repeat, if they are not in the cells. */
  readonly repeats?: JsonObject;
  /** Location for messages, such as `row 3`; can be empty. */
  readonly location: string;
}

export interface SubmissionReader {
  (submission: Submission): FileResponse;
  /**
   * The path of a repeat by its path, name or label. A workbook can have cut the name; then names of columns help to
   * find the repeat. Other names are unchanged.
   */
  toRepeatName(name: string, fields?: readonly string[]): string;
}

/** @param columns finds the columns of questions by the names that the survey keeps in `source_data` */
export function createSubmissionReader(
  columns: SubmissionColumns,
  { table, warn }: Pick<ResponseReadOptions, 'table' | 'warn'>,
): SubmissionReader {
  const warnOnce = createWarnOnce(warn);
  const readTime = createTimeReader(table.timeZone, warnOnce);

  const read = ({ index, cells, repeats: listed = {}, path, location }: Submission): FileResponse => {
    const { answers, repeats, used } = readAnswers(cells, columns);
    const { id, unread, ...times } = readSubmissionDetails(cells, columns, readTime);
    const rest = [...cells].filter(([name]) => !used.has(name) && !columns.isToolColumn(name));
    for (const [name] of rest) {
      const { code, detail } = unknownColumnWarning(name);
      warnOnce(name, { path, code, detail: location === '' ? detail : `${location}: ${detail}` });
    }
    const kept = keepUnknownCells(rest);
    const unassigned = kept.unassigned.filter(({ column }) => !columns.isAboutResponse(column));
    const allRepeats = { ...listed, ...repeats };
    const metadata = { ...kept.metadata, repeats: allRepeats };
    const response = { index, id, path, ...times, answers, unread, unassigned, metadata };
    const hasRepeats = Object.keys(allRepeats).length > 0;
    return toFileResponse(hasRepeats ? { ...response, hasAnswersInMetadata: true } : response, warnOnce);
  };
  return Object.assign(read, {
    toRepeatName(name: string, fields?: readonly string[]) {
      const [path, ...others] = columns.findRepeats(name, fields);
      if (path === undefined || others.length === 0) return path ?? name;
      const detail = `The name ${name} can be of several repeats of the form, so its rows are kept under this name`;
      warnOnce(name, { path: '', code: 'KEPT_AS_METADATA', detail });
      return name;
    },
  });
}

/** Reads the answers, and the rows of repeats that are in the cells, with the names of the used cells. */
function readAnswers(
  cells: ReadonlyMap<string, JsonValue>,
  { targets, names, findRepeats }: Pick<SubmissionColumns, 'targets' | 'names' | 'findRepeats'>,
) {
  const used = new Set<string>();
  const take = (name: string): JsonValue | undefined => {
    const value = cells.get(name);
    if (value !== undefined) used.add(name);
    return value;
  };
  const suffixes = once(() => suffixesByQuestion(cells.keys(), names));
  const suffixesOf = (name: string) => suffixes().get(name) ?? NO_SUFFIXES;
  const answers = new Map<string, JsonValue>();
  const answersByRow = new Map<string, Set<[row: string, answer: JsonValue]>>();
  for (const { id, row, names: possibleNames, toAnswer } of targets) {
    const answer = toAnswer(possibleNames, { take, cells, suffixesOf });
    if (answer === undefined) continue;
    if (row === undefined) answers.set(id, answer);
    else addToSet(answersByRow, id, [row, answer]);
  }
  for (const [id, rows] of answersByRow) answers.set(id, Object.fromEntries(rows));
  const repeats: JsonObject = {};
  for (const [name, value] of cells) {
    const [repeatPath] = Array.isArray(value) ? findRepeats(name) : [];
    if (repeatPath !== undefined) setMember(repeats, repeatPath, toRows(take(name) ?? value, name));
  }
  return { answers: Object.fromEntries(answers), repeats, used };
}

const NO_SUFFIXES: ReadonlySet<string> = new Set();

/** Groups column suffixes by question: `dishes/soup` becomes `soup` of `dishes`. */
function suffixesByQuestion(
  columns: Iterable<string>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const suffixes = new Map<string, Set<string>>();
  for (const column of columns) {
    for (const at of slashesIn(column)) {
      const name = column.slice(0, at);
      if (names.has(name)) addToSet(suffixes, name, column.slice(at + 1));
    }
  }
  return suffixes;
}

const ZONED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)([+-]\d{2}):?(\d{2})?$/;

/** Reads the id of a submission, which can be empty, and its times. Values that are no times are in `unread`. */
function readSubmissionDetails(
  cells: ReadonlyMap<string, JsonValue>,
  columns: Pick<SubmissionColumns, 'isToolColumn'>,
  readTime: ReadTime,
) {
  const unread: UnusableValue[] = [];

  function timeOf(name: string): Date | undefined {
    const value = columns.isToolColumn(name) ? cells.get(name) : undefined;
    const time = typeof value === 'string' ? readTime(toTimestamp(value)) : undefined;
    if (value !== undefined && time === undefined) {
      unread.push({ kind: 'response', name, code: 'BAD_TIME', detail: 'the value is not a time', value });
    }
    return time;
  }

  const [idName] = ID_COLUMNS.filter((name) => cells.has(name) && columns.isToolColumn(name));
  const submitted = SUBMISSION_TIME_COLUMNS.map(timeOf).find((time) => time !== undefined);
  const completedAt = timeOf('end') ?? submitted;
  const startedAt = timeOf('start');
  const id = idName === undefined ? '' : String(cells.get(idName)).replace(/^uuid:/, '');
  return { id, startedAt, completedAt, unread };
}

/** Converts a time with a zone to RFC 3339. It can have a space, or no colon in the zone. Other texts are unchanged. */
function toTimestamp(text: string): string {
  const [, day, time, hours, minutes = '00'] = ZONED.exec(text.trim()) ?? [];
  return day === undefined ? text : `${day}T${time}${hours}:${minutes}`;
}

/** The cells of a submission. */
interface Cells {
  /** Reads a cell and marks it as used. */
  take(name: string): JsonValue | undefined;
  readonly cells: ReadonlyMap<string, JsonValue>;
  /** The suffixes of the columns of a question: `soup` of `dishes/soup`. */
  suffixesOf(name: string): ReadonlySet<string>;
}

/** Reads the answer to a question or row by the possible names of its column; undefined if there is none. */
export type ToAnswer = (names: readonly string[], cells: Cells) => JsonValue | undefined;

export function createToAnswer(question: JsonObject): ToAnswer {
  const { type } = question;
  const { kept_as: keptAs, part } = sourceDataOf(question);
  // Rows of repeats and names of files are kept in the metadata.
  if (keptAs === 'json' || type === 'file_upload') return () => undefined;
  if (keptAs === 'ranks') return createTextReader(createToRanks(question));
  switch (type) {
    case 'single_choice':
    case 'likert':
      return createChoiceReader(question);
    case 'multiple_choice':
    case 'matrix':
      return createChoicesReader(question);
    case 'date':
      return createTextReader((text) => text.replace(/[T ].*$/s, ''));
    case 'time':
      return createTextReader((text) => toTime(part === 'time' ? text.replace(/^[^T ]*[T ]/, '') : text));
    default:
      return createTextReader((text) => text);
  }
}

/** The first name that the submission has. */
function nameIn(names: readonly string[], { cells }: Cells): string | undefined {
  return names.find((name) => cells.has(name));
}

function readCell(names: readonly string[], cells: Cells): JsonValue | undefined {
  const name = nameIn(names, cells);
  return name === undefined ? undefined : cells.take(name);
}

function createTextReader(convert: (text: string) => JsonValue): ToAnswer {
  return (names, cells) => {
    const value = readCell(names, cells);
    if (value === undefined) return undefined;
    return convert(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
}

function createChoiceReader(question: JsonObject): ToAnswer {
  const choices = choicesOf(question);
  return (names, cells) => {
    const value = readCell(names, cells);
    if (value === undefined) return undefined;
    const id = idOf(String(value), choices, hasLabels(names, cells, question));
    return isOther(id, question) ? { option: 'other', text: readOther(names, cells) } : id;
  };
}

function createChoicesReader(question: JsonObject): ToAnswer {
  const choices = choicesOf(question);
  return (names, cells) => {
    const flagged = readFlagColumns(names, cells, choices);
    const value = readCell(names, cells);
    const listed = value === undefined ? undefined : toIds(String(value), choices, hasLabels(names, cells, question));
    const ids = flagged ?? listed;
    if (ids === undefined || !ids.some((id) => isOther(id, question))) return ids;
    return { options: ids.filter((id) => !isOther(id, question)), other: readOther(names, cells) };
  };
}

/** True if cells have labels of choices. Exports have names in headings and cells, or labels in both. */
function hasLabels(names: readonly string[], cells: Cells, { title }: JsonObject): boolean {
  return textsOf(title).includes(nameIn(names, cells) ?? '');
}

/** Without `allow_other`, "other" is the name or label of a choice. */
function isOther(id: JsonValue, { allow_other: allowsOther }: JsonObject): boolean {
  return id === 'other' && allowsOther === true;
}

function readOther(names: readonly string[], cells: Cells): JsonValue {
  const otherNames = names.map((name) => `${name}_other`);
  return readCell(otherNames, cells) ?? OTHER_TEXT;
}

/** The names and labels of choices in headers, such as `soup` of `dishes/soup`. */
export function namesOfChoices(question: JsonObject): ReadonlySet<string> {
  return new Set(choicesOf(question).byNameOrLabel.keys());
}

/** The ids of choices with a column of their own, by name and label. */
export function idsOfChoices(question: JsonObject): ReadonlyMap<string, string> {
  if (question['type'] !== 'multiple_choice' && question['type'] !== 'matrix') return new Map();
  return new Map(
    [...choicesOf(question).byNameOrLabel].flatMap(([text, [choice]]) => (choice ? [[text, choice.id]] : [])),
  );
}

function choicesOf(question: JsonObject): Choices {
  return toChoices(question, question['type'] === 'matrix' ? 'columns' : 'options');
}

/** Words that tools of forms write in the column of a choice, chosen or not. Other texts there can be its label. */
const BOOLEAN = /^(?:[01]|true|false)$/i;

/** The chosen choices, if each choice has a column that says whether it is chosen; undefined without such columns. */
function readFlagColumns(
  names: readonly string[],
  { take, suffixesOf }: Cells,
  { byNameOrLabel, options }: Choices,
): JsonValue[] | undefined {
  const base = names.find((name) => [...suffixesOf(name)].some((suffix) => byNameOrLabel.has(suffix)));
  if (base === undefined) return undefined;
  const suffixes = suffixesOf(base);
  const withColumn = new Set([...suffixes].flatMap((suffix) => [...(byNameOrLabel.get(suffix) ?? [])]));
  return [...withColumn].flatMap(({ id, nameAndLabels }) => {
    const name = nameAndLabels.find((one) => suffixes.has(one));
    const flag = name === undefined ? undefined : take(`${base}/${name}`);
    if (flag === undefined) return [];
    const cell = String(flag);
    const isChosen = nameAndLabels.includes(cell) && !BOOLEAN.test(cell) ? true : isChosenWord(cell);
    return isChosen === undefined ? [toUnknown(cell, options)] : isChosen ? [id] : [];
  });
}

/** Converts an order to ranks: `b a` → `{b: '1', a: '2'}`. */
function createToRanks(question: JsonObject): (value: string) => JsonValue {
  const [rows, ranks] = [toChoices(question, 'rows'), toSourceOptions(question, 'columns')];
  return (value) =>
    Object.fromEntries(
      toIds(value, rows).map((id, index) => [
        typeof id === 'string' ? id : JSON.stringify(id),
        ranks[index]?.id ?? String(index + 1),
      ]),
    );
}

/** Removes fractions of seconds and the zone. */
function toTime(value: string): string {
  return value.trim().replace(/^(\d{2}:\d{2}(?::\d{2})?).*$/s, '$1');
}

/** The choice that `or_other` adds, with its label in all languages. */
const OTHER = 'other';
const OTHER_LABEL = 'Other';

/** An option, row or column. Its `value` is its name in the form. */
interface Choice extends SourceOption {
  /** In all languages. */
  readonly labels: readonly string[];
  readonly nameAndLabels: readonly string[];
}

/** The choices of a question, by the texts that submissions have for them. */
interface Choices {
  readonly options: readonly SourceOption[];
  /** Ids by name. The first choice of a name wins. */
  readonly byName: ReadonlyMap<JsonValue, string>;
  /** Choices by name or label. Several can share one. */
  readonly byNameOrLabel: ReadonlyMap<string, ReadonlySet<Choice>>;
  /** For texts with several labels: ids by label, where the first choice wins, and lengths of labels, longest first. */
  readonly labelIndex: () => { readonly ids: ReadonlyMap<string, string>; readonly lengths: readonly number[] };
}

function toChoices(question: JsonObject, list: 'options' | 'rows' | 'columns'): Choices {
  const texts = new Map(objectsOf(question[list]).map(({ id, text }) => [id, text]));
  const choices = toSourceOptions(question, list).map((one) => {
    const ownLabels = textsOf(texts.get(one.id));
    const labels = one.id === OTHER && ownLabels.length === 0 ? [OTHER_LABEL] : ownLabels;
    return { ...one, labels, nameAndLabels: [String(one.value), ...labels] };
  });
  const byNameOrLabel = new Map<string, Set<Choice>>();
  for (const choice of choices) for (const text of choice.nameAndLabels) addToSet(byNameOrLabel, text, choice);
  return {
    options: choices,
    byName: new Map(choices.toReversed().map(({ value, id }) => [value, id])),
    byNameOrLabel,
    labelIndex: once(() => {
      const ids = new Map<string, string>();
      for (const { id, labels } of choices) {
        for (const label of labels.map((one) => one.trim())) if (label !== '' && !ids.has(label)) ids.set(label, id);
      }
      return { ids, lengths: [...new Set(ids.keys().map(({ length }) => length))].toSorted((a, b) => b - a) };
    }),
  };
}

/**
 * The id of the choice with a name, or with a label that no other choice has; otherwise the value of an unknown one.
 *
 * @param labelsFirst whether the file has labels, so that a label is looked for before a name
 */
function idOf(value: string, { byName, byNameOrLabel, options }: Choices, labelsFirst: boolean): JsonValue {
  const name = value.trim();
  const [labelled, ...others] = [...(byNameOrLabel.get(name) ?? [])].filter(({ labels }) => labels.includes(name));
  const ofLabel = others.length === 0 ? labelled?.id : undefined;
  const found = labelsFirst ? (ofLabel ?? byName.get(name)) : (byName.get(name) ?? ofLabel);
  return found ?? toUnknown(name, options);
}

/** Reads names with spaces between them, or else labels, which can contain spaces. */
function toIds(value: string, choices: Choices, labelsFirst = false): JsonValue[] {
  const { byName, options } = choices;
  const names = value.match(/\S+/g) ?? [];
  const areNames = names.every((name) => byName.has(name));
  const labelled = areNames && !labelsFirst ? undefined : labelsIn(value.trim(), choices);
  return labelled ?? names.map((name) => byName.get(name) ?? toUnknown(name, options));
}

/** The ids of the labels in a text, taking the longest label first; undefined if the text has other words. */
function labelsIn(text: string, { options, labelIndex }: Choices): string[] | undefined {
  const { ids, lengths } = labelIndex();
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const isLabel = (end: number) =>
      end <= text.length && /^\s?$/.test(text.charAt(end)) && ids.has(text.slice(at, end));
    const length = lengths.find((one) => isLabel(at + one)) ?? 0;
    const id = ids.get(text.slice(at, at + length));
    // Each choice occurs once at most.
    if (id === undefined || found.length === options.length) return undefined;
    found.push(id);
    at += length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  return found;
}
