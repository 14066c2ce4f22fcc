import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import type { CodedHeader, CodedTable } from '../core/columns/plan.ts';
import { getOrAdd } from '../core/maps.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { objectsOf, questionsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';
import type { ColumnKind } from '../tables/column-values.ts';
import { duplicateNames, readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { createToAnswer, idsOfChoices, namesOfChoices, type ToAnswer } from './answers.ts';
import { isReference, isRepeatColumn } from './repeats.ts';

/** The columns of submissions, by the names that the survey keeps in `source_data`. */
export interface SubmissionColumns {
  readonly targets: readonly AnswerTarget[];
  /** All possible column names of questions. */
  readonly names: ReadonlySet<string>;
  /**
   * The paths of the repeats with a path, name or label. For a name that a workbook has cut, those that begin with it
   * and have most of the given fields. Repeats within others have only a name.
   */
  findRepeats(name: string, fields?: readonly string[]): readonly string[];
  readonly known: () => KnownColumns;
  /** Whether the tool adds the column to each submission, with an id or a time. */
  isToolColumn(name: string): boolean;
  /** Whether a column is about the response, and answers no question. */
  isAboutResponse(name: string): boolean;
  /** Whether a text can be an answer in a column: a free text, or the name or label of a choice. */
  takesText(name: string, text: string): boolean;
  /** The target of a column, such as `q1`, `q1[row]` or `id`; undefined for a column that is kept in the metadata. */
  targetNameOf(name: string): string | undefined;
  /** The kind of dates and times in a column; undefined for others. */
  kindOf(name: string): ColumnKind | undefined;
}

/** The question or row that a column answers. */
interface AnswerTarget {
  readonly id: string;
  readonly question: JsonObject;
  readonly row: string | undefined;
  /** Possible column names, unambiguous ones first. */
  readonly names: readonly string[];
  readonly toAnswer: ToAnswer;
}

/** Columns with the id of a submission, the best first. */
export const ID_COLUMNS = ['meta/instanceID', 'meta-instanceID', 'instanceID', '_uuid', 'KEY', '__id', '_id'];
/** Columns with the time at which the server got a submission. */
export const SUBMISSION_TIME_COLUMNS = ['_submission_time', 'SubmissionDate', '__system/submissionDate'];
/** Targets of the columns that the tool adds to each submission. */
const TOOL_COLUMNS: ReadonlyMap<string, string> = new Map([
  ...ID_COLUMNS.map((name) => [name, 'id'] as const),
  ...[...SUBMISSION_TIME_COLUMNS, 'end'].map((name) => [name, 'submitted_at'] as const),
  ['start', 'started_at'],
]);
/** Columns about the response that the tools add, such as `_id`, `formhub/uuid` and `SubmitterName`. */
const ABOUT_RESPONSE =
  /^(?:_|(?:meta|formhub)[/-]|(?:Submitter(?:ID|Name)|Attachments(?:Present|Expected)|Status|ReviewState|DeviceID|Edits|FormVersion)$)/;
/** At most this many slashes of a column name are read: more than groups can nest. */
const MAX_SLASHES = 100;
/** Minimum characters of a name that is cut. Workbooks cut names of sheets at 31, and add a number to equal names. */
const MIN_CUT = 20;
const NUMBER_OF_CUT = /(?:~\d{1,3}|[ _]?\(\d{1,3}\)|_\d{1,3})$/;
/** Kobo cuts a name in its middle. */
const CUT_OUT = /…|\.{3}/;

export function createSubmissionColumns(payload: JsonObject): SubmissionColumns {
  const toolFields = toolFieldNames(payload);
  const targets = createAnswerTargets(payload, toolFields);
  const names = new Set(targets.flatMap((one) => one.names));
  const isToolColumn = (name: string) => TOOL_COLUMNS.has(name) && !names.has(name);
  const findTarget = once(() => createFindTarget(targets));
  const kinds = once(() => toKinds(targets));
  const known = once(() => toKnownColumns(targets, names));
  const findRepeats = createFindRepeats(payload);
  const textNames = once(() => new Set(targets.flatMap(textNamesOf)));
  return {
    targets,
    names,
    findRepeats,
    known,
    isToolColumn,
    isAboutResponse: (name) => ABOUT_RESPONSE.test(name) || toolFields.has(lastStep(name)),
    takesText: (name, text) => textNames().has(name) || known().choices.get(name)?.has(text) === true,
    targetNameOf: (name) => findTarget()(name) ?? (isToolColumn(name) ? TOOL_COLUMNS.get(name) : undefined),
    kindOf: (name) =>
      kinds().get(name) ?? (isToolColumn(name) && TOOL_COLUMNS.get(name) !== 'id' ? 'timestamp' : undefined),
  };
}

/** Positions of slashes, which separate groups, and can be part of labels. */
export function* slashesIn(column: string): Generator<number> {
  let at = column.indexOf('/');
  for (let count = 0; at !== -1 && count < MAX_SLASHES; count += 1) {
    yield at;
    at = column.indexOf('/', at + 1);
  }
}

function createAnswerTargets(payload: JsonObject, toolFields: ReadonlySet<string>): readonly AnswerTarget[] {
  const questions = questionsOf(payload).filter((question) => typeof sourceDataOf(question)['source_id'] === 'string');
  const candidates = questions.flatMap((question) => {
    const toAnswer = createToAnswer(question);
    // A date and its time share a column, so its names count once.
    const isCounted = sourceDataOf(question)['part'] !== 'time';
    return fieldsOf(question).map(({ id, row, formPath, texts }) => {
      const name = lastStep(formPath);
      const shortNames = [name, ...texts].filter((one) => !toolFields.has(one));
      const exactNames = [formPath, formPath.replaceAll('/', '-')];
      return { id, question, row, toAnswer, isCounted, exactNames, shortNames };
    });
  });
  // A short name that several questions have is ambiguous, so it names none of them.
  const usesByName = Map.groupBy(
    candidates.filter(({ isCounted }) => isCounted).flatMap(({ shortNames }) => [...new Set(shortNames)]),
    (name) => name,
  );
  return candidates.map(({ id, question, row, toAnswer, exactNames, shortNames }) => ({
    id,
    question,
    row,
    names: [...exactNames, ...shortNames.filter((name) => (usesByName.get(name)?.length ?? 0) <= 1)],
    toAnswer,
  }));
}

/** The parts of a question that columns can answer: itself, or the rows of its table. `formPath` is `group/name`. */
function fieldsOf(question: JsonObject) {
  const id = String(question['id']);
  const { source_id: formPath, kept_as: keptAs } = sourceDataOf(question);
  const rows = keptAs === undefined ? objectsOf(question['rows']) : [];
  if (rows.length === 0) {
    return [{ id, row: undefined, formPath: String(formPath), texts: textsOf(question['title']) }];
  }
  return rows.map((row) => ({
    id,
    row: String(row['id']),
    formPath: String(sourceDataOf(row)['source_id'] ?? row['id']),
    texts: textsOf(row['text']),
  }));
}

/** Creates a search for the targets of questions, of their choices and of the texts of "other", by name. */
function createFindTarget(targets: readonly AnswerTarget[]): (name: string) => string | undefined {
  const found = new Map<string, { readonly target: string; readonly question: JsonObject }>();
  const others = new Map<string, string>();
  for (const { id, row, names, question } of targets) {
    const target = row === undefined ? id : `${id}[${row}]`;
    for (const name of names) {
      if (!found.has(name)) found.set(name, { target, question });
      if (question['allow_other'] === true && !others.has(`${name}_other`)) others.set(`${name}_other`, `${id}.other`);
    }
  }
  const choices = new Map<JsonObject, ReadonlyMap<string, string>>();
  return (name) => {
    const whole = found.get(name)?.target ?? others.get(name);
    if (whole !== undefined) return whole;
    for (const at of slashesIn(name)) {
      const base = found.get(name.slice(0, at));
      const ids = base && getOrAdd(choices, base.question, () => idsOfChoices(base.question));
      const choice = ids?.get(name.slice(at + 1));
      if (base !== undefined && choice !== undefined) return `${base.target}[${choice}]`;
    }
    return undefined;
  };
}

/** Kinds of the columns of dates and times by name. A date and its time share a column. */
function toKinds(targets: readonly AnswerTarget[]): ReadonlyMap<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>();
  for (const { question, names } of targets) {
    const { type } = question;
    if (type !== 'date' && type !== 'time') continue;
    const isShared = sourceDataOf(question)['part'] !== undefined;
    for (const name of names) kinds.set(name, isShared ? 'timestamp' : type);
  }
  return kinds;
}

/** The names of columns with a free text: of a question, or of its option "other". */
function textNamesOf({ names, question: { type, format, allow_other: allowsOther } }: AnswerTarget): readonly string[] {
  if (allowsOther === true) return names.map((name) => `${name}_other`);
  return type === 'textarea' || (type === 'text' && format !== 'integer' && format !== 'number') ? names : [];
}

/** A repeat of the form. */
interface Repeat {
  /** Of a repeat within another one: its name. */
  readonly path: string;
  /** Names of its questions. */
  readonly fields: ReadonlySet<string>;
}

/**
 * The repeats by path, name and label: `group/kid`, `kid` and `Child` for a repeat `kid` in a group. A name or label of
 * several repeats is left out. Repeats within others (`rows` in `source_data`) have only a name.
 */
function indexRepeats(payload: JsonObject): ReadonlyMap<string, Repeat> {
  const repeats = new Map<string, Repeat | undefined>();
  const [outer, inner]: [Repeat[], Repeat[]] = [[], []];
  const toRepeat = (path: string, rows: readonly JsonObject[]): Repeat => {
    const own = rows.filter((row) => row['rows'] === undefined);
    for (const row of rows) {
      if (row['rows'] !== undefined) inner.push(toRepeat(String(row['name']), objectsOf(row['rows'])));
    }
    return { path, fields: new Set(own.map((row) => String(row['name']))) };
  };
  for (const question of questionsOf(payload)) {
    const { source_id: path, kept_as: keptAs, rows } = sourceDataOf(question);
    if (keptAs !== 'json' || typeof path !== 'string') continue;
    const repeat = toRepeat(path, objectsOf(rows));
    outer.push(repeat);
    for (const name of new Set([lastStep(path), ...textsOf(question['title'])])) {
      repeats.set(name, repeats.has(name) ? undefined : repeat);
    }
  }
  // A path is never ambiguous, even if it is the name or label of another repeat.
  for (const repeat of outer) repeats.set(repeat.path, repeat);
  for (const repeat of inner) if (!repeats.has(repeat.path)) repeats.set(repeat.path, repeat);
  return new Map([...repeats].filter((entry): entry is [string, Repeat] => entry[1] !== undefined));
}

function createFindRepeats(payload: JsonObject): SubmissionColumns['findRepeats'] {
  const repeats = indexRepeats(payload);
  const cut = new Map<string, readonly Repeat[]>();

  /**
   * The repeats whose name a workbook can have cut to this one. It has a gap in the middle, and a number at the end if
   * two names are equal: `kids_of_the…household~2` is cut from `kids_of_the_other_household`.
   */
  function findCut(name: string): readonly Repeat[] {
    const [start = '', end = ''] = name.replace(NUMBER_OF_CUT, '').split(CUT_OUT, 2);
    if (start.length + end.length < MIN_CUT) return [];
    const canBeFullName = (other: string) =>
      other.length > start.length + end.length && other.startsWith(start) && other.endsWith(end);
    return [...new Set([...repeats].flatMap(([other, repeat]) => (canBeFullName(other) ? [repeat] : [])))];
  }

  return (name, fields = []) => {
    const known = repeats.get(name);
    if (known !== undefined) return [known.path];
    const found = cut.get(name) ?? findCut(name);
    if (cut.size < MAX_NAMES) cut.set(name, found);
    const counts = found.map((repeat) => fields.filter((field) => repeat.fields.has(lastStep(field))).length);
    const most = Math.max(0, ...counts);
    return found.filter((_, at) => counts[at] === most).map(({ path }) => path);
  };
}

function toKnownColumns(targets: readonly AnswerTarget[], names: ReadonlySet<string>): KnownColumns {
  const withOther = targets.filter(({ question }) => question['allow_other'] === true);
  const choices = new Map<string, ReadonlySet<string>>();
  // The rows of a table share its choices.
  for (const [question, rows] of Map.groupBy(targets, (target) => target.question)) {
    const choiceNames = namesOfChoices(question);
    if (choiceNames.size === 0) continue;
    for (const name of rows.flatMap((row) => row.names)) choices.set(name, choiceNames);
  }
  return {
    names,
    choices,
    withOther: new Set(withOther.flatMap(({ names: own }) => own)),
  };
}

/** Names of rows that the tool fills in, such as the start time. */
function toolFieldNames(payload: JsonObject): ReadonlySet<string> {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const rows = objectsOf(sourceDataOf(survey)['filled_in']);
  return new Set(rows.map((row) => row['name']).filter((name) => typeof name === 'string'));
}

/** The last name of a path: `name` of `group/name`. */
function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The target of columns of repeats. */
const REPEATS = 'metadata.repeats';

export interface XlsformHeader extends CodedHeader {
  readonly columns: SubmissionColumns;
}

/** Tables of submissions, with names or labels as headings and any group separator. */
export const XLSFORM: CodedTable<XlsformHeader> = {
  maxHeaderRows: 1,
  createHeaderReader(payload) {
    const columns = createSubmissionColumns(payload);
    return ([first], given) => readHeader(first, given, columns);
  },
};

function readHeader(first: Row | undefined, given: ReadonlySet<number>, columns: SubmissionColumns): XlsformHeader {
  const names = toSlashes(readNames(first), columns.known()).map((name, at) => (given.has(at) ? '' : name));
  const row = first?.number ?? 1;
  const targets = new Map<number, string>();
  const kinds = new Map<number, ColumnKind>();
  for (const [position, name] of names.entries()) {
    // Columns that name rows of other tables are read, but not imported.
    if (name === '' || isReference(name, columns)) continue;
    targets.set(position, isRepeatColumn(name) ? REPEATS : (columns.targetNameOf(name) ?? `metadata.${name}`));
    const kind = columns.kindOf(name);
    if (kind !== undefined) kinds.set(position, kind);
  }
  const isQuestion = (name: string) => columns.names.has(name) || columns.names.has(name.replace(/\/[^/]*$/, ''));
  return {
    columns,
    row,
    headerRows: 1,
    names,
    targets,
    kinds,
    // Columns that are not of questions are kept as metadata by name, so no name may occur twice.
    problems: duplicateNames(names, row),
    hasQuestion: names.some(isQuestion),
  };
}

/** The columns that a form can have, with slashes between groups, questions and choices. */
interface KnownColumns {
  /** Names and labels of questions: `group/name`, `name`, `Label`. */
  readonly names: ReadonlySet<string>;
  /** Names and labels of choices by the name or label of the question. */
  readonly choices: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names and labels of the questions with an "other" text that the tool added (`or_other`). */
  readonly withOther: ReadonlySet<string>;
}

/** The label that XLSForm gives to the text of "other". */
const SPECIFY_OTHER = 'Specify other.';
/** Characters between two names. Hyphens, dots and underscores can also be part of a name. */
const BETWEEN = /[^\p{L}\p{N}_[\]]+|_+/gu;
const MAX_SEPARATOR = 5;
/** Maximum names, characters of a name, and kinds of separators, that are considered to find the separator. */
const MAX_NAMES = 2_000;
const MAX_NAME = 2_000;
const MAX_KINDS = 100;

/**
 * Converts the names of a header to names with slashes, whatever separator the export uses: `g.acts.hik` becomes
 * `g/acts/hik`. The column of an "other" text gets the name of its question with `_other`.
 */
export function toSlashes(header: readonly string[], known: KnownColumns): readonly string[] {
  const separator = findSeparator(header, known);
  const names = separator === undefined ? header : header.map((name) => withSlashes(name, separator, known));
  let question = '';
  return names.map((name) => {
    if (name === SPECIFY_OTHER && question !== '' && !known.names.has(name)) return `${question}_other`;
    const base = [name, name.slice(0, Math.max(0, name.lastIndexOf('/')))].find((one) => known.withOther.has(one));
    question = base ?? (name === SPECIFY_OTHER ? '' : question);
    return name;
  });
}

/** The separator that converts most names to columns of the form; undefined if it is a slash, or if there is none. */
function findSeparator(header: readonly string[], known: KnownColumns): string | undefined {
  const names = header.slice(0, MAX_NAMES).filter((name) => name.length <= MAX_NAME && !isFixed(name, known));
  const candidates = names.map((name) => new Set(name.match(BETWEEN)?.filter((one) => one.length <= MAX_SEPARATOR)));
  const counts = new Map<string, number>();
  for (const separator of candidates.flatMap((one) => [...one])) {
    counts.set(separator, (counts.get(separator) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_KINDS);
  const votes = new Map<string, number>();
  for (const [separator] of frequent) {
    for (const [at, name] of names.entries()) {
      if (candidates[at]?.has(separator) !== true || !isKnown(split(name, separator), known)) continue;
      votes.set(separator, (votes.get(separator) ?? 0) + 1);
    }
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best === undefined || best[0] === '/' ? undefined : best[0];
}

function withSlashes(name: string, separator: string, known: KnownColumns): string {
  if (isFixed(name, known)) return name;
  const slashed = split(name, separator);
  return isKnown(slashed, known) ? slashed : name;
}

function split(name: string, separator: string): string {
  return name.split(separator).join('/');
}

/** Whether a name needs no conversion: it is already a column of the form, or the column of an "other" text. */
function isFixed(name: string, known: KnownColumns): boolean {
  return isKnown(name, known) || (name.endsWith('_other') && known.withOther.has(name.slice(0, -'_other'.length)));
}

/** Whether a name with slashes is a question, a choice of a question, or a row of a repeat. */
function isKnown(name: string, { names, choices }: KnownColumns): boolean {
  if (names.has(name) || /^[^[\]]+\[\d+\]\//.test(name)) return true;
  const slash = name.lastIndexOf('/');
  return slash > 0 && choices.get(name.slice(0, slash))?.has(name.slice(slash + 1)) === true;
}
