import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import type { CodedHeader } from '../core/columns/plan.ts';
import type { CodedTable } from '../core/columns/plan-codes.ts';
import { getOrAdd } from '../core/maps.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { objectsOf, questionsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';
import type { ColumnKind } from '../tables/column-values.ts';
import { duplicateNames, readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { createToAnswer, idsOfChoices, namesOfChoices, type ToAnswer } from './answers.ts';
import { createFindRepeats, type FindRepeats, isReference, isRepeatColumn, lastStep } from './repeats.ts';

/** The columns of submissions, by the names that the survey keeps in `source_data`. */
export interface SubmissionColumns {
  readonly targets: readonly AnswerTarget[];
  /** All possible column names of questions. */
  readonly names: ReadonlySet<string>;
  readonly findRepeats: FindRepeats;
  readonly known: () => KnownColumns;
  /** Whether a column has the id or a time of the response, which are read from it. */
  isToolColumn(name: string): boolean;
  /** Whether a column is about the response, so that a cell that is not read is no lost answer. */
  isAboutResponse(name: string): boolean;
  /** Whether a text can be an answer in a column: a free text, or the name or label of a choice. */
  takesText(name: string, text: string): boolean;
  /** The target of a column, such as `q1`, `q1[row]` or `id`; undefined for a column that is kept in the metadata. */
  targetNameOf(name: string): string | undefined;
  /** The kind of dates and times in a column; undefined for others. */
  kindOf(name: string): ColumnKind | undefined;
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
/** Targets of the columns with the id or a time of the response. */
const TARGETS_OF_TOOL_COLUMNS: ReadonlyMap<string, string> = new Map([
  ...ID_COLUMNS.map((name) => [name, 'id'] as const),
  ...[...SUBMISSION_TIME_COLUMNS, 'end'].map((name) => [name, 'submitted_at'] as const),
  ['start', 'started_at'],
]);
/** Columns about the response that the tools add, such as `_id`, `formhub/uuid` and `SubmitterName`. */
const ABOUT_RESPONSE =
  /^(?:_|(?:meta|formhub)[/-]|(?:Submitter(?:ID|Name)|Attachments(?:Present|Expected)|Status|ReviewState|DeviceID|Edits|FormVersion)$)/;
/** At most this many slashes of a column name are read: more than groups can nest. */
const MAX_SLASHES = 100;

export function createSubmissionColumns(payload: JsonObject): SubmissionColumns {
  const toolFields = toolFieldNames(payload);
  const targets = createAnswerTargets(payload, toolFields);
  const names = new Set(targets.flatMap((one) => one.names));
  const isToolColumn = (name: string) => TARGETS_OF_TOOL_COLUMNS.has(name) && !names.has(name);
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
    targetNameOf: (name) => findTarget()(name) ?? (isToolColumn(name) ? TARGETS_OF_TOOL_COLUMNS.get(name) : undefined),
    kindOf: (name) =>
      kinds().get(name) ?? (isToolColumn(name) && TARGETS_OF_TOOL_COLUMNS.get(name) !== 'id' ? 'timestamp' : undefined),
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
    // A date and its time share a column, so the names of the column count once.
    const countsNames = sourceDataOf(question)['part'] !== 'time';
    return fieldsOf(question).map(({ id, row, formPath, texts }) => {
      const name = lastStep(formPath);
      const shortNames = [name, ...texts].filter((one) => !toolFields.has(one));
      const exactNames = [formPath, formPath.replaceAll('/', '-')];
      return { id, question, row, toAnswer, countsNames, exactNames, shortNames };
    });
  });
  // A short name that several questions have is ambiguous, so it names none of them.
  const usesByName = Map.groupBy(
    candidates.filter(({ countsNames }) => countsNames).flatMap(({ shortNames }) => [...new Set(shortNames)]),
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
  const targetsByName = new Map<string, { readonly target: string; readonly question: JsonObject }>();
  const targetsOfOtherTexts = new Map<string, string>();
  for (const { id, row, names, question } of targets) {
    const target = row === undefined ? id : `${id}[${row}]`;
    for (const name of names) {
      if (!targetsByName.has(name)) targetsByName.set(name, { target, question });
      const other = `${name}_other`;
      const isFirst = question['allow_other'] === true && !targetsOfOtherTexts.has(other);
      if (isFirst) targetsOfOtherTexts.set(other, `${id}.other`);
    }
  }
  const choices = new Map<JsonObject, ReadonlyMap<string, string>>();
  return (name) => {
    const whole = targetsByName.get(name)?.target ?? targetsOfOtherTexts.get(name);
    if (whole !== undefined) return whole;
    for (const at of slashesIn(name)) {
      const base = targetsByName.get(name.slice(0, at));
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

/** @param given positions of the columns that the option `columns` names */
function readHeader(first: Row | undefined, given: ReadonlySet<number>, columns: SubmissionColumns): XlsformHeader {
  const names = toSlashes(readNames(first), columns.known()).map((name, at) => (given.has(at) ? '' : name));
  const row = first?.number ?? 1;
  const targets = new Map<number, string>();
  const kinds = new Map<number, ColumnKind>();
  for (const [position, name] of names.entries()) {
    // References to rows of other tables are not imported.
    if (name === '' || isReference(name, columns)) continue;
    targets.set(position, isRepeatColumn(name) ? REPEATS : (columns.targetNameOf(name) ?? `metadata.${name}`));
    const kind = columns.kindOf(name);
    if (kind !== undefined) kinds.set(position, kind);
  }
  // The label of a choice can have slashes.
  const isQuestion = (name: string) =>
    columns.names.has(name) || [...slashesIn(name)].some((at) => columns.names.has(name.slice(0, at)));
  return {
    columns,
    row,
    headerRows: 1,
    names,
    targets,
    kinds,
    // Metadata has a member for each column that is of no question. So no name may occur twice.
    problems: duplicateNames(names, row),
    hasQuestion: names.some(isQuestion),
  };
}

/** The label that XLSForm gives to the text of "other". */
const SPECIFY_OTHER = 'Specify other.';
/** Possible separators between two names. Hyphens, dots and underscores can also be part of a name. */
const SEPARATORS = /[^\p{L}\p{N}_[\]]+|_+/gu;
const MAX_SEPARATOR_LENGTH = 5;
/** Limits of the search for the separator: names, characters of a name, and separators that are tried. */
const MAX_NAMES = 2_000;
const MAX_NAME_LENGTH = 2_000;
const MAX_SEPARATORS = 100;

/**
 * Converts the names of a header to names with slashes, whatever separator the export uses: `g.acts.hik` becomes
 * `g/acts/hik`. The column of an "other" text gets the name of its question with `_other`: in `fruit`, `fruit/a`,
 * `fruit/b`, `Specify other.`, the last column becomes `fruit_other`.
 */
export function toSlashes(header: readonly string[], known: KnownColumns): readonly string[] {
  const separator = findSeparator(header, known);
  const names = separator === undefined ? header : header.map((name) => withSlashes(name, separator, known));
  let questionWithOther = '';
  return names.map((name) => {
    if (name === SPECIFY_OTHER && questionWithOther !== '' && !known.names.has(name))
      return `${questionWithOther}_other`;
    const question = [name, name.slice(0, Math.max(0, name.lastIndexOf('/')))].find((one) => known.withOther.has(one));
    // The columns of choices, and others, can be between the question and its text.
    questionWithOther = question ?? (name === SPECIFY_OTHER ? '' : questionWithOther);
    return name;
  });
}

/**
 * The separator that converts the most names to columns of the form. Undefined if no name needs a conversion: the
 * separator is a slash, or no separator leads to a column.
 */
function findSeparator(header: readonly string[], known: KnownColumns): string | undefined {
  const names = header
    .slice(0, MAX_NAMES)
    .filter((name) => name.length <= MAX_NAME_LENGTH && !needsNoConversion(name, known));
  const candidates = names.map(
    (name) => new Set(name.match(SEPARATORS)?.filter((one) => one.length <= MAX_SEPARATOR_LENGTH)),
  );
  const counts = new Map<string, number>();
  for (const separator of candidates.flatMap((one) => [...one])) {
    counts.set(separator, (counts.get(separator) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_SEPARATORS);
  const votes = new Map<string, number>();
  for (const [separator] of frequent) {
    for (const [at, name] of names.entries()) {
      if (candidates[at]?.has(separator) !== true || !isKnown(name.replaceAll(separator, '/'), known)) continue;
      votes.set(separator, (votes.get(separator) ?? 0) + 1);
    }
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best === undefined || best[0] === '/' ? undefined : best[0];
}

function withSlashes(name: string, separator: string, known: KnownColumns): string {
  if (needsNoConversion(name, known)) return name;
  const slashed = name.replaceAll(separator, '/');
  return isKnown(slashed, known) ? slashed : name;
}

/** Whether a name needs no conversion: it is already a column of the form, or the column of an "other" text. */
function needsNoConversion(name: string, known: KnownColumns): boolean {
  return isKnown(name, known) || (name.endsWith('_other') && known.withOther.has(name.slice(0, -'_other'.length)));
}

/** Whether a name with slashes is a question, a choice of a question, or a row of a repeat. */
function isKnown(name: string, { names, choices }: KnownColumns): boolean {
  if (names.has(name) || /^[^[\]]+\[\d+\]\//.test(name)) return true;
  const slash = name.lastIndexOf('/');
  return slash > 0 && choices.get(name.slice(0, slash))?.has(name.slice(slash + 1)) === true;
}
