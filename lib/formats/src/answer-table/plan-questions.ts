import type { JsonObject } from '@bufbuild/protobuf';
import { isBlank } from '@survey/questionnaire/answers/plain-text';
import { isExportHeader, RESPONSE_COLUMNS } from '@survey/questionnaire/columns/response-columns';
import { compile } from '@survey/questionnaire/compile';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { createHeaderIndex, OTHER_WORDS } from '../core/columns/header-index.ts';
import { CONFIDENCE, createColumnFinder, type MatchedColumn, matchHeaders } from '../core/columns/match-headers.ts';
import { createUniqueIds } from '../core/ids.ts';
import { invalidImport } from '../files/report.ts';
import type { ColumnTarget } from '../tables/table-options.ts';
import { type ColumnProfile, isMostly } from './column-profile.ts';
import {
  COLUMN_TYPES,
  type ColumnType,
  type GuessedQuestion,
  guessQuestion,
  optionsOf,
  tryQuestionOfType,
} from './guess-question.ts';
import { ANSWER_TABLE } from './table-words.ts';

/** A column of a table that becomes a survey. */
export interface PlannedColumn extends MatchedColumn {
  /** The question of the column; undefined if it is about the response, or not imported. */
  readonly question: JsonObject | undefined;
  /** For a column that is one row or option of a question: its text. */
  readonly part: string | undefined;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** The questions that a table becomes, in the order of their columns. */
export interface PlannedSurvey {
  readonly columns: readonly PlannedColumn[];
  readonly questions: readonly JsonObject[];
}

/** Columns of one question: `Title [Row]`. */
export interface ColumnGroup {
  readonly title: string;
  readonly members: readonly { readonly position: number; readonly part: string }[];
}

const PART = /^(.+)\[([^[\]]+)\]$/s;
const MAX_ID = 60;
const NO_QUESTIONS = { schema_version: '1.0', version: 1, survey: { title: '', pages: [{ questions: [] }] } };
const STATUSES = new Set(['completed', 'disqualified', 'in_progress', 'abandoned']);
/** Targets of columns with scores of a quiz, such as `1.00 / 2`. Other values are answers. */
const SCORES = new Set(['metadata.score', 'metadata.total_score']);
const SCORE = /^-?[\d.,]{1,20} \/ [\d.,]{1,20}$/;
const LANGUAGE_TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** Finds groups of at least two headings `Title [Row]` with the same title. */
export function groupHeadings(headings: readonly string[]): readonly ColumnGroup[] {
  const groups = Map.groupBy(
    headings.flatMap((heading, position) => {
      const [, title = '', part = ''] = PART.exec(heading) ?? [];
      return isBlank(title) || isBlank(part) ? [] : [{ title: title.trimEnd(), part: part.trim(), position }];
    }),
    ({ title }) => title,
  );
  return [...groups].flatMap(([title, members]) =>
    members.length > 1 && new Set(members.map(({ part }) => part)).size === members.length ? [{ title, members }] : [],
  );
}

/**
 * Makes questions of the columns of a table, by their headings and values. Throws `INVALID_IMPORT` if the option
 * `columns` is invalid.
 *
 * @param profileOf the content of a column, or of the columns of a group together
 */
export function planQuestions(
  headings: readonly string[],
  given: readonly ColumnTarget[],
  profileOf: (positions: readonly number[]) => ColumnProfile,
): PlannedSurvey {
  const { types, columns: targets } = splitTargets(headings, given);
  const index = createHeaderIndex(NO_QUESTIONS, compile(NO_QUESTIONS));
  const matched = matchHeaders(headings, index, { columns: targets, words: ANSWER_TABLE.wordsOf(headings) });
  const isExport = isExportHeader(headings);
  const isQuestion = (column: MatchedColumn) =>
    types.has(column.position) || (!column.isExcluded && !isAboutResponse(column, isExport, profileOf));
  const questionColumns = matched.filter((column) => column.heading !== '' && isQuestion(column));
  const questionPositions = new Set(questionColumns.map(({ position }) => position));
  const duplicates = findDuplicates(questionColumns);
  const groups = guessGroups(questionColumns, { types, duplicates, profileOf });
  const { questions, questionFor } = createQuestions(questionColumns);

  /** Makes a question of a column that is in no group. */
  function planAlone(column: MatchedColumn): PlannedColumn {
    const { position, heading } = column;
    const type = types.get(position);
    const profile = profileOf([position]);
    const guessed = type === undefined ? guessQuestion(profile) : tryQuestionOfType(type, profile);
    if (guessed === undefined) return withProblem(column, `the values of the column do not fit ${type}`);
    const question = questionFor(position, heading, guessed);
    const foundBy = type === undefined ? undefined : ('option' as const);
    return { ...column, ...NO_TARGET, question, foundBy, confidence: guessed.confidence };
  }

  const columns = matched.map((column): PlannedColumn => {
    if (!questionPositions.has(column.position)) {
      const confidence = column.foundBy === undefined ? 0 : CONFIDENCE[column.foundBy];
      return { ...column, question: undefined, part: undefined, confidence };
    }
    if (duplicates.has(column.position))
      return withProblem(
        column,
        'an earlier column has this heading; rename the column, or exclude it with the option columns',
      );
    const found = groups.get(column.position);
    if (found === undefined) return planAlone(column);
    const { group, part } = found;
    const question = questionFor(group, group.title, group.guessed);
    return { ...column, ...NO_TARGET, question, part, confidence: group.guessed.confidence };
  });
  return { columns, questions };
}

/** Members of a column that makes a question, and so has no target in an existing survey. */
const NO_TARGET = {
  target: undefined,
  foundBy: undefined,
  isExcluded: false,
  problem: undefined,
  question: undefined,
  part: undefined,
} as const;

function withProblem(column: MatchedColumn, problem: string): PlannedColumn {
  return { ...column, ...NO_TARGET, problem, confidence: 0 };
}

/** The positions of columns that repeat the heading of an earlier column. */
function findDuplicates(columns: readonly MatchedColumn[]): ReadonlySet<number> {
  const seen = new Set<string>();
  return new Set(
    columns.flatMap(({ heading, position }) => {
      const isDuplicate = seen.has(heading);
      seen.add(heading);
      return isDuplicate ? [position] : [];
    }),
  );
}

interface GuessedGroup {
  readonly title: string;
  readonly guessed: GuessedQuestion;
}

interface GroupOptions {
  readonly types: ReadonlyMap<number, unknown>;
  readonly duplicates: ReadonlySet<number>;
  readonly profileOf: (positions: readonly number[]) => ColumnProfile;
}

/** Finds columns that are parts of one question, such as `Service [Speed]`. Returns group and part by position. */
function guessGroups(columns: readonly MatchedColumn[], { types, duplicates, profileOf }: GroupOptions) {
  const headings = columns.map(({ heading }) => heading);
  const titles = new Set(headings);
  const groups = new Map<number, { readonly group: GuessedGroup; readonly part: string }>();
  for (const { title, members: parts } of groupHeadings(headings)) {
    const members = parts.map(({ part, position: index }) => ({ part, position: columns[index]?.position ?? -1 }));
    const isUsable = members.every(({ position }) => !types.has(position) && !duplicates.has(position));
    const guessed = isUsable && !titles.has(title) ? guessGroup(members, profileOf) : undefined;
    if (guessed === undefined) continue;
    const group = { title, guessed };
    for (const { part, position } of members) groups.set(position, { group, part });
  }
  return groups;
}

/** Creates one question for each key: a column or a group of columns. Its id is made of its title. */
function createQuestions(columns: readonly MatchedColumn[]) {
  const toId = createIds(columns.map(({ heading }) => heading));
  const byKey = new Map<unknown, JsonObject>();
  const questions: JsonObject[] = [];
  return {
    questions,
    questionFor(key: unknown, title: string, { type, members }: GuessedQuestion): JsonObject {
      const known = byKey.get(key);
      if (known !== undefined) return known;
      const question = { id: toId(title), type, title, required: false, ...members };
      byKey.set(key, question);
      questions.push(question);
      return question;
    },
  };
}

/**
 * Whether a column is about the response. A question can have a heading such as `status`, so the values are checked.
 * In an export of this platform, a column that was found by its export name is always about the response.
 */
function isAboutResponse(
  { target, foundBy, position }: MatchedColumn,
  isExport: boolean,
  profileOf: (positions: readonly number[]) => ColumnProfile,
): boolean {
  if (target === undefined) return isExport && foundBy === 'name';
  if (foundBy === 'option' || isExport) return true;
  const profile = profileOf([position]);
  const { values, filled, repeatsIds } = profile;
  if (target.kind === 'metadata' && SCORES.has(target.name)) {
    return values !== undefined && [...values.keys()].every((text) => SCORE.test(text));
  }
  if (target.kind !== 'response') return true;
  // As ids of responses, repeated values would lead to rejected responses.
  if (target.column === 'id') return !repeatsIds;
  const texts = [...(values?.keys() ?? [])];
  const hasAllValues = values !== undefined || filled === 0;
  if (target.column === 'status') return hasAllValues && texts.every((text) => STATUSES.has(text));
  if (target.column === 'language') return hasAllValues && texts.every((text) => LANGUAGE_TAG.test(text));
  if (target.column !== 'submitted_at' && target.column !== 'started_at') return true;
  return foundBy === 'name' || isMostly(profile, 'timestamp', 'date');
}

/** Guesses the question of several columns, which are the rows of a likert or matrix, or the options of a choice. */
function guessGroup(
  members: readonly { readonly position: number; readonly part: string }[],
  profileOf: (positions: readonly number[]) => ColumnProfile,
): GuessedQuestion | undefined {
  const parts = members.map(({ part }) => part);
  const isFlag = ({ position, part }: (typeof members)[number]) => {
    const { values, filled } = profileOf([position]);
    return (
      filled === 0 ||
      (values !== undefined && [...values.keys()].every((text) => text === '1' || text === '0' || text === part))
    );
  };
  const profile = profileOf(members.map(({ position }) => position));
  if (profile.filled === 0) return undefined;
  if (members.every(isFlag)) return { type: 'multiple_choice', members: { options: parts }, confidence: 0.8 };
  const [other, ...more] = members.filter((member) => !isFlag(member));
  if (other !== undefined && more.length === 0 && OTHER_WORDS.test(other.part)) {
    const options = parts.filter((part) => part !== other.part);
    return { type: 'multiple_choice', members: { options, allow_other: true }, confidence: 0.8 };
  }
  const { type, members: guessed } = guessQuestion(profile);
  if (type === 'multiple_choice' && Array.isArray(guessed['options'])) {
    return { type: 'matrix', members: { rows: parts, columns: guessed['options'], multiple: true }, confidence: 0.8 };
  }
  const isList = type === 'single_choice' || type === 'rating';
  if (!isList || profile.values === undefined) return undefined;
  return { type: 'likert', members: { rows: parts, options: optionsOf(profile.values) }, confidence: 0.8 };
}

/** Splits the option `columns` into types of questions, and targets about the response. */
function splitTargets(headings: readonly string[], given: readonly ColumnTarget[]) {
  const types = new Map<number, ColumnType>();
  const columns: ColumnTarget[] = [];
  const problems: FieldProblem[] = [];
  const find = createColumnFinder(headings);
  for (const column of given) {
    const type = COLUMN_TYPES.find((name) => name === column.target);
    if (type === undefined) {
      columns.push(column);
      continue;
    }
    const position = find(column);
    if (typeof position !== 'number') problems.push(position);
    else if ((headings[position] ?? '') !== '') types.set(position, type);
    else {
      const detail = `columns: the column #${position + 1} has no heading, so it cannot be a question`;
      problems.push({ path: '', code: 'UNKNOWN_COLUMN', detail });
    }
  }
  if (problems.length > 0) throw invalidImport(problems);
  return { types, columns };
}

/** Ids from titles. No id is the heading of another column, or a column of an export. */
function createIds(headings: readonly string[]): (title: string) => string {
  const unique = createUniqueIds();
  const taken = new Set<string>([...headings, ...RESPONSE_COLUMNS]);
  return (title) => {
    const wanted = title.slice(0, MAX_ID).replaceAll(/^\W+|\W+$/g, '');
    for (;;) {
      const id = unique(wanted);
      if (id === title || !taken.has(id)) return id;
    }
  };
}
