import type { JsonObject } from '@bufbuild/protobuf';
import {
  findResponseColumns,
  isExportHeader,
  isResponseColumn,
  type ResponseColumn,
} from '@survey/questionnaire/columns/response-columns';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { toMetadataTarget } from '@survey/questionnaire/metadata/metadata-columns';
import { once } from '@survey/questionnaire/once';
import { shorten } from '@survey/questionnaire/shorten';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../../files/report.ts';
import type { ColumnKind } from '../../tables/column-values.ts';
import { readNames } from '../../tables/header.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget } from '../../tables/table-options.ts';
import { type FoundBy, type HeaderIndex, type HeadingTarget, SETTABLE_COLUMNS } from './header-index.ts';
import { toLooseKey } from './headings.ts';

/** A column of a table, known by its heading. */
export interface MatchedColumn {
  /** From 0. */
  readonly position: number;
  /** Trimmed; empty if the column has none. */
  readonly heading: string;
  /** Undefined if the column is not imported. */
  readonly target: HeadingTarget | undefined;
  /** The way in which the heading was recognised; undefined if it is unknown. */
  readonly foundBy: FoundBy | undefined;
  /** Whether the option `columns` excludes the column, so that it causes no warning. */
  readonly isExcluded: boolean;
  /** Reason why the table cannot be imported with this column; undefined if there is none. */
  readonly problem: string | undefined;
}

export interface MatchOptions {
  /** The option `columns`. */
  readonly columns: readonly ColumnTarget[];
  /** Names of targets by words of the tool, such as `timestamp`. The words are loose keys (see `toLooseKey`). */
  readonly words?: ReadonlyMap<string, string>;
}

/** Confidence that a heading has the right target, from 0 to 1. */
export const CONFIDENCE: Readonly<Record<FoundBy, number>> = { option: 1, name: 1, title: 0.9, part: 0.8, word: 0.7 };

const MAX_NAME = 200;
/** Maximum names that a message lists. */
const MAX_LISTED = 20;
const POSITION = /^#([1-9]\d{0,4})$/;

/**
 * Finds the target of each column of a table: by the option `columns`, as a detail of the response, by name, by title,
 * or by title and part. Two columns with one target, and a title of several questions, are problems. Throws
 * `INVALID_IMPORT` if the option names a column that the table lacks, or a target that does not exist.
 *
 * @param headings trimmed texts of the header row
 */
export function matchHeaders(
  headings: readonly string[],
  index: HeaderIndex,
  { columns, words = new Map() }: MatchOptions,
): readonly MatchedColumn[] {
  const given = readColumnTargets(headings, columns, index);
  const isExport = isExportHeader(headings);
  const questionNames = namesOfQuestions(headings, index);
  const found = [...findResponseColumns(headings, questionNames)];
  const responseColumns = new Map(found.map(([name, position]) => [headings[position] ?? '', name]));
  const givenNames = new Set([...given.values()].map((target) => target?.name));
  const numbered = numberedTitles(headings, index);

  const matched = headings.map((heading, position): MatchedColumn => {
    const base = { position, heading, isExcluded: false, problem: undefined };
    if (given.has(position)) {
      const target = given.get(position);
      return { ...base, target, foundBy: 'option', isExcluded: target === undefined };
    }
    const unknown = { ...base, target: undefined, foundBy: undefined };
    if (heading === '') return unknown;
    const response = responseColumns.get(heading);
    if (response !== undefined) {
      if (!SETTABLE_COLUMNS.includes(response)) return { ...unknown, foundBy: 'name', isExcluded: true };
      const name = questionNames.has(response) ? `response:${response}` : response;
      if (givenNames.has(name)) return unknown;
      return { ...base, target: { kind: 'response', name, column: response }, foundBy: 'name' };
    }
    const metadata = findMetadata(heading, index);
    if (metadata !== undefined && givenNames.has(metadata.name)) return unknown;
    // In an export, such a heading is no title of a question.
    if (metadata !== undefined && isExport) return { ...base, target: metadata, foundBy: 'name' };
    const byNumber = numbered.get(position);
    if (byNumber !== undefined) return { ...base, target: byNumber, foundBy: 'title' };
    const { targets, foundBy } = index.find(heading);
    const [target, ...more] = targets;
    if (more.length > 0) return { ...unknown, foundBy, problem: ambiguous(targets) };
    if (target !== undefined) return { ...base, target, foundBy };
    if (metadata !== undefined && metadata.member !== '') return { ...base, target: metadata, foundBy: 'name' };
    const word = isExport ? undefined : words.get(toLooseKey(heading));
    const wordTarget = word === undefined ? undefined : index.findTarget(word);
    return wordTarget === undefined ? unknown : { ...base, target: wordTarget, foundBy: 'word' };
  });
  return markDuplicates(withoutRivals(matched));
}

/** The target of a heading such as `metadata.email`, unless a question has this name. */
function findMetadata(heading: string, index: HeaderIndex) {
  const target = toMetadataTarget(heading) === undefined ? undefined : index.findTarget(heading);
  return target?.kind === 'metadata' ? target : undefined;
}

/**
 * Names that mean a question, even if a detail of the response has the same name. The name of a multiple choice means
 * the question only if the table has no columns for its options.
 */
function namesOfQuestions(headings: readonly string[], index: HeaderIndex): ReadonlySet<string> {
  const withOptions = new Set(headings.flatMap((heading) => (heading.includes('[') ? heading.split('[', 1) : [])));
  const hasOptions = (name: string) => withOptions.has(name);
  const names = index.targetNames.filter((name) => {
    const kind = index.findTarget(name)?.kind;
    return kind === 'answer' || (kind === 'choices' && isResponseColumn(name) && !hasOptions(name));
  });
  return new Set(names);
}

/**
 * Targets of columns with a title of several questions, if programs have numbered the columns: `Notes`, `Notes.1`. There
 * must be one column for each question.
 */
function numberedTitles(headings: readonly string[], index: HeaderIndex): ReadonlyMap<number, HeadingTarget> {
  const positions = new Map(headings.map((heading, position) => [heading, position]));
  const found = new Map<number, HeadingTarget>();
  for (const [heading, position] of positions) {
    const second = `${heading}.1`;
    if (heading === '' || !positions.has(second) || index.find(second).targets.length > 0) continue;
    const { targets } = index.find(heading);
    const columns = targets.map((_, at) => (at === 0 ? position : positions.get(`${heading}.${at}`)));
    if (columns.includes(undefined) || positions.has(`${heading}.${targets.length}`)) continue;
    for (const [at, target] of targets.entries()) found.set(columns[at] ?? position, target);
  }
  return found;
}

/** Finds only the targets of columns that the option `columns` names. Throws like `matchHeaders`. */
export function matchGiven(
  headings: readonly string[],
  index: HeaderIndex,
  columns: readonly ColumnTarget[],
): readonly MatchedColumn[] {
  const given = readColumnTargets(headings, columns, index);
  const matched = [...given].map(([position, target]): MatchedColumn => {
    const heading = headings[position] ?? '';
    return { position, heading, target, foundBy: 'option', isExcluded: target === undefined, problem: undefined };
  });
  return markDuplicates(matched);
}

/** A `BAD_HEADER` for each column with a problem. */
export function columnProblems(columns: readonly MatchedColumn[], row: number): readonly FieldProblem[] {
  return columns.flatMap(({ heading, problem }) =>
    problem === undefined
      ? []
      : [{ path: '', code: 'BAD_HEADER', detail: `row ${row}, column ${shortened(heading)}: ${problem}` }],
  );
}

/** Clears the target of a column that was found by a word of a tool, if another column has the same target. */
function withoutRivals(columns: readonly MatchedColumn[]): readonly MatchedColumn[] {
  const usedTargets = new Set(
    columns.flatMap(({ target, foundBy }) => (target === undefined || foundBy === 'word' ? [] : [target.name])),
  );
  return columns.map((column) => {
    if (column.foundBy !== 'word' || column.target === undefined) return column;
    if (usedTargets.has(column.target.name)) return { ...column, target: undefined, foundBy: undefined };
    usedTargets.add(column.target.name);
    return column;
  });
}

/** Adds a problem to each column whose target an earlier column has. */
function markDuplicates(columns: readonly MatchedColumn[]): readonly MatchedColumn[] {
  const firstByName = new Map<string, MatchedColumn>();
  // A column with all options in one cell and a column for one of them are rivals.
  const choicesByName = new Map<string, MatchedColumn>();
  const flagsByName = new Map<string, MatchedColumn>();
  return columns.map((column) => {
    const { target, heading } = column;
    if (target === undefined) return column;
    const isFlag = target.kind === 'answer' && target.column.kind === 'flag';
    const choices = isFlag ? target.name.slice(0, target.name.lastIndexOf('[')) : target.name;
    const rivals = isFlag ? choicesByName : target.kind === 'choices' ? flagsByName : undefined;
    const earlier = firstByName.get(target.name) ?? rivals?.get(choices);
    if (earlier === undefined) {
      firstByName.set(target.name, column);
      if (target.kind === 'choices') choicesByName.set(choices, column);
      if (isFlag && !flagsByName.has(choices)) flagsByName.set(choices, column);
      return column;
    }
    const problem =
      earlier.heading === heading
        ? 'the column is duplicate'
        : `the column ${shortened(earlier.heading)} is for ${target.name} too; exclude one with columns`;
    return { ...column, problem };
  });
}

function readColumnTargets(
  headings: readonly string[],
  columns: readonly ColumnTarget[],
  index: HeaderIndex,
): ReadonlyMap<number, HeadingTarget | undefined> {
  const found = new Map<number, HeadingTarget | undefined>();
  const problems: FieldProblem[] = [];
  const find = createColumnFinder(headings);
  for (const column of columns) {
    const { target: name } = column;
    const position = find(column);
    if (typeof position !== 'number') {
      problems.push(position);
      continue;
    }
    const target = name === '' ? undefined : index.findTarget(name);
    if (name !== '' && target === undefined) {
      const names = [...SETTABLE_COLUMNS, ...index.targetNames];
      const detail = `columns: there is no target ${shortened(name)}; there are ${listed(names)}, and metadata.NAME`;
      problems.push({ path: '', code: 'UNKNOWN_TARGET', detail });
      continue;
    }
    found.set(position, target);
  }
  if (problems.length > 0) throw invalidImport(problems);
  return found;
}

/** The targets that the option `columns` gives to columns, by position. Unknown and ambiguous headings are left out. */
export function givenTargets(
  headings: readonly string[],
  columns: readonly ColumnTarget[],
): ReadonlyMap<number, string> {
  const find = createColumnFinder(headings);
  const found = columns.map((column) => [find(column), column.target] as const);
  return new Map(found.filter((entry): entry is [number, string] => typeof entry[0] === 'number'));
}

type NamedColumn = Pick<ColumnTarget, 'heading' | 'position'>;

/**
 * Creates a search for columns that the option `columns` names. The search returns the position of the column, or a
 * problem if no column or several columns match. Reads the headings once for any number of searches.
 */
export function createColumnFinder(headings: readonly string[]): (column: NamedColumn) => number | FieldProblem {
  const named = [...headings.entries()].filter(([, heading]) => heading !== '');
  const positionsBy = (keyOf: (heading: string) => string) =>
    once(() => {
      const groups = Map.groupBy(named, ([, heading]) => keyOf(heading));
      return new Map([...groups].map(([key, entries]) => [key, entries.map(([position]) => position)]));
    });
  const [exact, loose] = [positionsBy((heading) => heading), positionsBy(toLooseKey)];

  /** Finds columns by exact heading, by position such as `#3`, or by tolerant comparison, in this order. */
  function positionsOf(heading: string): readonly number[] {
    const trimmed = heading.trim();
    const same = trimmed === '' ? undefined : exact().get(trimmed);
    if (same !== undefined) return same;
    const position = Number(POSITION.exec(trimmed)?.[1] ?? 0) - 1;
    if (position >= 0 && position < headings.length) return [position];
    const key = toLooseKey(trimmed);
    return key === '' ? [] : (loose().get(key) ?? []);
  }

  return ({ heading, position: known }) => {
    if (known !== undefined) return known;
    const positions = positionsOf(heading);
    const [position, ...more] = positions;
    if (position === undefined) {
      const detail = `columns: the table has no column ${shortened(heading)}; it has ${listed(headings)}`;
      return { path: '', code: 'UNKNOWN_COLUMN', detail };
    }
    if (more.length === 0) return position;
    const numbers = listed(positions.map((one) => `#${one + 1}`));
    const detail = `columns: the table has several columns ${shortened(heading)}; name them ${numbers}`;
    return { path: '', code: 'AMBIGUOUS_COLUMN', detail };
  };
}

function ambiguous(targets: readonly HeadingTarget[]): string {
  return `the column can be ${listed(targets.map(({ name }) => name))}; name its question with columns`;
}

function listed(names: readonly string[]): string {
  const filled = names.filter((name) => name !== '');
  const shown = filled
    .slice(0, MAX_LISTED)
    .map((name) => shorten(name, MAX_NAME))
    .join(', ');
  return filled.length > MAX_LISTED ? `${shown} and ${filled.length - MAX_LISTED} more` : shown;
}

function shortened(name: string): string {
  return shorten(name, MAX_NAME);
}

interface HeaderOptions {
  readonly columns: readonly ColumnTarget[];
  /** Names of targets of the headings that are words of tools, such as `timestamp`, by loose key. */
  targetsOfWords(headings: readonly string[]): ReadonlyMap<string, string>;
}

/** The header of a table of responses. Its columns are grouped by the kind of their targets. */
export interface ResponseHeader {
  readonly names: readonly string[];
  readonly columns: readonly MatchedColumn[];
  /** Positions of the columns about the response itself. */
  readonly responseColumns: ReadonlyMap<ResponseColumn, number>;
  /** Columns with one answer, or one part of it. */
  readonly answerColumns: readonly MatchedTarget<'answer'>[];
  /** Columns with several options in a cell. */
  readonly choiceColumns: readonly MatchedTarget<'choices'>[];
  readonly metadata: readonly MatchedTarget<'metadata'>[];
  /** Whether the file is an export of this platform. */
  readonly isExport: boolean;
}

/** A column with a target of a kind. */
interface MatchedTarget<Kind extends HeadingTarget['kind']> {
  readonly column: MatchedColumn;
  readonly target: Extract<HeadingTarget, { kind: Kind }>;
}

/** Finds the targets of a header, even of one with problems. Throws `INVALID_IMPORT` if there are no rows. */
export function matchResponseHeader(
  row: Row | undefined,
  index: HeaderIndex,
  { columns: given, targetsOfWords }: HeaderOptions,
): ResponseHeader {
  const names = readNames(row);
  const matched = matchHeaders(names, index, { columns: given, words: targetsOfWords(names) });
  return { names, isExport: isExportHeader(names), ...groupColumns(matched) };
}

/** Groups columns by the kind of their targets. */
export function groupColumns(columns: readonly MatchedColumn[]): Omit<ResponseHeader, 'names' | 'isExport'> {
  const targetsOf = <Kind extends HeadingTarget['kind']>(kind: Kind) =>
    columns.flatMap((column): readonly MatchedTarget<Kind>[] => {
      const { target } = column;
      return target?.kind === kind ? [{ column, target: target as MatchedTarget<Kind>['target'] }] : [];
    });
  return {
    columns,
    responseColumns: new Map(targetsOf('response').map(({ column, target }) => [target.column, column.position])),
    answerColumns: targetsOf('answer'),
    choiceColumns: targetsOf('choices'),
    metadata: targetsOf('metadata'),
  };
}

/** The kinds of the values of columns, by position. */
export function kindsOf(
  { responseColumns, answerColumns }: Pick<ResponseHeader, 'responseColumns' | 'answerColumns'>,
  payload: JsonObject,
): ReadonlyMap<number, ColumnKind> {
  const questions = new Map(readDefinition(payload).questions.map((question) => [question.id, question]));
  const kinds = new Map<number, ColumnKind>();
  for (const name of ['submitted_at', 'started_at'] as const) {
    const position = responseColumns.get(name);
    if (position !== undefined) kinds.set(position, 'timestamp');
  }
  for (const { target, column } of answerColumns) {
    const { question_id: id, items, kind } = target.column;
    const { type, source } = questions.get(id) ?? {};
    if (items.length > 0) continue;
    if (type === 'date' || type === 'time') kinds.set(column.position, type);
    const isNumber = source?.['format'] === 'number' || source?.['format'] === 'integer' || kind === 'number';
    if (isNumber) kinds.set(column.position, 'number');
  }
  return kinds;
}

export function hasAnswers({
  answerColumns,
  choiceColumns,
}: Pick<ResponseHeader, 'answerColumns' | 'choiceColumns'>): boolean {
  return answerColumns.length + choiceColumns.length > 0;
}

/** Warnings about columns that are not imported, or only kept as metadata. */
export function toLossWarnings({ columns }: ResponseHeader, kept: ResponseHeader['metadata']): readonly FieldProblem[] {
  const withoutTarget = columns.filter(
    ({ target, isExcluded, heading }) => target === undefined && !isExcluded && heading !== '',
  );
  return [
    ...withoutTarget.map(({ heading }) => ({
      path: '',
      code: 'NOT_IMPORTED',
      detail: `The column ${heading} is not imported: the survey has no such column`,
    })),
    ...kept.map(({ column }) => ({
      path: '',
      code: 'KEPT_AS_METADATA',
      detail: `The column ${column.heading} is no answer to a question of the survey, and is kept as metadata`,
    })),
  ];
}
