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
import { type ColumnProfile, isMostly, mergeProfiles } from './column-profile.ts';
import {
  type ColumnType,
  columnTypeOf,
  type GuessedQuestion,
  guessQuestion,
  optionsOf,
  questionOfType,
} from './guess-question.ts';
import { ANSWER_TABLE } from './table-words.ts';

/** A column of a table that becomes a survey. */
interface SurveyColumn extends MatchedColumn {
  /** The question of the column; undefined if it is about the response, or not imported. */
  readonly question: JsonObject | undefined;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** The questions that a table becomes, in the order of their columns. */
export interface PlannedSurvey {
  readonly columns: readonly SurveyColumn[];
  readonly questions: readonly JsonObject[];
}

/** A column that becomes a question, or a part of one. */
interface QuestionColumn {
  readonly column: MatchedColumn;
  readonly profile: ColumnProfile;
  /** The type that the option `columns` names; undefined to guess it. */
  readonly type: ColumnType | undefined;
}

/** A column `Title [Part]`. */
interface PartColumn extends QuestionColumn {
  readonly title: string;
  readonly part: string;
}

/** A question, with the columns that have its answers. */
interface QuestionPlan {
  readonly title: string;
  readonly columns: readonly QuestionColumn[];
  readonly guessed: GuessedQuestion;
}

const PART = /^(.+)\[([^[\]]+)\]$/s;
const MAX_ID = 60;
const NO_QUESTIONS = { schema_version: '1.0', version: 1, survey: { title: '', pages: [{ questions: [] }] } };
const STATUSES = new Set(['completed', 'disqualified', 'in_progress', 'abandoned']);
/** Targets of columns with scores of a quiz. Columns with other values than scores have answers. */
const SCORE_TARGETS = new Set(['metadata.score', 'metadata.total_score']);
/** A score of a quiz, such as `1.00 / 2`. */
const SCORE = /^-?[\d.,]{1,20} \/ [\d.,]{1,20}$/;
const LANGUAGE_TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;
const DUPLICATE = 'an earlier column has this heading; rename the column, or exclude it with the option columns';

/**
 * Makes questions of the columns of a table, by their headings and values. Throws `INVALID_IMPORT` if the option
 * `columns` is invalid.
 *
 * @param given the option `columns`
 * @param profiles the content of each column
 */
export function planQuestions(
  headings: readonly string[],
  given: readonly ColumnTarget[],
  profiles: readonly ColumnProfile[],
): PlannedSurvey {
  const { types, targets } = splitTargets(headings, given);
  const index = createHeaderIndex(NO_QUESTIONS, compile(NO_QUESTIONS));
  const matched = matchHeaders(headings, index, { columns: targets, words: ANSWER_TABLE.targetsOfWords(headings) });
  const isExport = isExportHeader(headings);
  const questionColumns = matched.flatMap((column): readonly QuestionColumn[] => {
    const { position, heading, isExcluded } = column;
    const [type, profile] = [types.get(position), profiles[position]];
    if (heading === '' || profile === undefined) return [];
    const isQuestion = type !== undefined || (!isExcluded && !isAboutResponse(column, profile, isExport));
    return isQuestion ? [{ column, profile, type }] : [];
  });
  const problems = new Map(duplicatesOf(questionColumns).map(({ column }) => [column.position, DUPLICATE]));
  const plans: QuestionPlan[] = findGroups(questionColumns.filter(({ column }) => !problems.has(column.position)));
  const grouped = new Set(plans.flatMap(({ columns }) => columns.map(({ column }) => column.position)));
  for (const alone of questionColumns) {
    const { column, profile, type } = alone;
    if (grouped.has(column.position) || problems.has(column.position)) continue;
    const guessed = type === undefined ? guessQuestion(profile) : questionOfType(type, profile);
    if (guessed !== undefined) plans.push({ title: column.heading, columns: [alone], guessed });
    else problems.set(column.position, `the values of the column do not fit ${type}`);
  }
  const planned = makeQuestions(
    plans,
    questionColumns.map(({ column }) => column.heading),
  );
  return {
    columns: matched.map((column) => {
      const problem = problems.get(column.position);
      if (problem !== undefined) return { ...column, ...NO_TARGET, problem, question: undefined, confidence: 0 };
      const confidence = column.foundBy === undefined ? 0 : CONFIDENCE[column.foundBy];
      return planned.columns.get(column.position) ?? { ...column, question: undefined, confidence };
    }),
    questions: planned.questions,
  };
}

/** Members of a column that becomes a question: it has no target. */
const NO_TARGET = { target: undefined, foundBy: undefined, isExcluded: false, problem: undefined } as const;

/**
 * Makes the questions in the order of their first columns. Returns them, and their columns by position.
 *
 * @param headings of all columns that become questions
 */
function makeQuestions(plans: readonly QuestionPlan[], headings: readonly string[]) {
  const toId = createIds(headings);
  const firstOf = ({ columns }: QuestionPlan) => columns[0]?.column.position ?? 0;
  const questions: JsonObject[] = [];
  const planned = new Map<number, SurveyColumn>();
  for (const { title, columns, guessed } of plans.toSorted((one, other) => firstOf(one) - firstOf(other))) {
    const { type, members, confidence } = guessed;
    const question = { id: toId(title), type, title, required: false, ...members };
    questions.push(question);
    for (const { column, type: given } of columns) {
      const foundBy = given === undefined ? undefined : 'option';
      planned.set(column.position, { ...column, ...NO_TARGET, foundBy, question, confidence });
    }
  }
  return { questions, columns: planned };
}

/** The columns that repeat the heading of an earlier column. */
function duplicatesOf(columns: readonly QuestionColumn[]): readonly QuestionColumn[] {
  const byHeading = Map.groupBy(columns, ({ column }) => column.heading);
  return [...byHeading.values()].flatMap((sameHeading) => sameHeading.slice(1));
}

/** Finds questions of at least two columns `Title [Part]`. Columns whose type is given are questions of their own. */
function findGroups(columns: readonly QuestionColumn[]): QuestionPlan[] {
  const titles = new Set(columns.map(({ column }) => column.heading));
  const parts = columns.flatMap((one): readonly PartColumn[] => {
    const [, title = '', part = ''] = PART.exec(one.column.heading) ?? [];
    const isPart = one.type === undefined && !isBlank(title) && !isBlank(part);
    return isPart ? [{ ...one, title: title.trimEnd(), part: part.trim() }] : [];
  });
  return [...Map.groupBy(parts, ({ title }) => title)].flatMap(([title, members]) => {
    const isGroup = members.length > 1 && new Set(members.map(({ part }) => part)).size === members.length;
    const guessed = isGroup && !titles.has(title) ? guessGroup(members) : undefined;
    return guessed === undefined ? [] : [{ title, columns: members, guessed }];
  });
}

/** Guesses the question of several columns: they are rows of a likert or matrix question, or options of a choice. */
function guessGroup(members: readonly PartColumn[]): GuessedQuestion | undefined {
  const profile = mergeProfiles(members.map((member) => member.profile));
  if (profile.filled === 0) return undefined;
  const parts = members.map(({ part }) => part);
  const [other, ...more] = members.filter((member) => !marksOption(member));
  if (other === undefined) return { type: 'multiple_choice', members: { options: parts }, confidence: 0.8 };
  if (more.length === 0 && OTHER_WORDS.test(other.part)) {
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

/** Whether a column says only whether its option is chosen: with 1, 0 or the text of the option. */
function marksOption({ profile: { values }, part }: PartColumn): boolean {
  return values !== undefined && [...values.keys()].every((text) => text === '1' || text === '0' || text === part);
}

/**
 * Whether a column is about the response. A question can have a heading such as `status`, so the values are checked.
 * In an export of this platform, a column that was found by its export name is always about the response.
 */
function isAboutResponse({ target, foundBy }: MatchedColumn, profile: ColumnProfile, isExport: boolean): boolean {
  if (target === undefined) return isExport && foundBy === 'name';
  if (foundBy === 'option' || isExport) return true;
  const { values, repeatsIds } = profile;
  const areAll = (isExpected: (text: string) => boolean) =>
    values !== undefined && [...values.keys()].every(isExpected);
  if (target.kind === 'metadata') return !SCORE_TARGETS.has(target.name) || areAll((text) => SCORE.test(text));
  if (target.kind !== 'response') return true;
  switch (target.column) {
    case 'id':
      // As ids of responses, repeated values would lead to rejected responses.
      return !repeatsIds;
    case 'status':
      return areAll((text) => STATUSES.has(text));
    case 'language':
      return areAll((text) => LANGUAGE_TAG.test(text));
    case 'submitted_at':
    case 'started_at':
      return foundBy === 'name' || isMostly(profile, 'timestamp', 'date');
    default:
      return true;
  }
}

/** Splits the option `columns` into types of questions by position, and targets about the response. */
function splitTargets(headings: readonly string[], given: readonly ColumnTarget[]) {
  const types = new Map<number, ColumnType>();
  const targets: ColumnTarget[] = [];
  const problems: FieldProblem[] = [];
  const find = createColumnFinder(headings);
  for (const column of given) {
    const type = columnTypeOf(column.target);
    if (type === undefined) {
      targets.push(column);
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
  return { types, targets };
}

/** Makes ids of titles. An id that is the heading of a column, or a column name of an export, is that of its own title. */
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
