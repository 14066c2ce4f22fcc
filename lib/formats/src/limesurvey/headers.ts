import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { WordedOption } from '../core/columns/choices.ts';
import { type CodedColumn, nameOfTarget } from '../core/columns/coded-answers.ts';
import type { CodedHeader } from '../core/columns/plan.ts';
import type { CodedTable } from '../core/columns/plan-codes.ts';
import { addToList } from '../core/maps.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { answeredQuestions, objectsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';
import { duplicateNames, readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';

interface LimesurveyHeader extends CodedHeader {
  readonly columns: ColumnNames;
  /** Whether the table is a VV file, which has texts in its first row and codes in the second one. */
  readonly isVv: boolean;
}

/** Targets of columns about the response. Others are kept in its metadata. */
const TARGETS: Readonly<Record<string, string>> = {
  id: 'id',
  submitdate: 'submitted_at',
  startdate: 'started_at',
  datestamp: 'submitted_at',
  startlanguage: 'language',
};

/** Tables with question codes as headings, and VV files. */
export const LIMESURVEY: CodedTable<LimesurveyHeader> = {
  maxHeaderRows: 2,
  advice: 'export with question codes as headings',
  createCellConverter: (start) => (vvNames(start) === undefined ? undefined : fromVvCell),
  createHeaderReader(payload) {
    const columns = createColumnNames(payload);
    return (start, given) => readHeader(start, given, columns);
  },
};

function readHeader(start: readonly Row[], given: ReadonlySet<number>, columns: ColumnNames): LimesurveyHeader {
  const headings = readNames(start[0]);
  const vv = vvNames(start)?.map((name) => withScale(name, columns));
  const names = columns.toNames(vv ?? headings).map((name, position) => (given.has(position) ? '' : name));
  const headerRows = vv === undefined ? 1 : 2;
  const row = start[headerRows - 1]?.number ?? 1;
  const targets = new Map<number, string>();
  for (const [position, name] of names.entries()) {
    const [column] = columns.find(name);
    // LimeSurvey has a column for each rank, with an item. Our exports have a column for each item, with its rank. So the
    // target of a rank is the whole question.
    if (column !== undefined) targets.set(position, nameOfTarget(column));
    else if (columns.isKnown(name)) targets.set(position, TARGETS[name] ?? `metadata.${name}`);
  }
  return {
    columns,
    isVv: vv !== undefined,
    row,
    headerRows,
    names,
    targets,
    kinds: new Map(names.flatMap((name, position) => (columns.isTime(name) ? [[position, 'timestamp'] as const] : []))),
    problems: duplicateNames(names.filter(columns.isKnown), row),
    hasQuestion: names.some(columns.isQuestion),
  };
}

/** Recognises the names of columns in exports of responses. */
export interface ColumnNames {
  /** The answer columns with a name; empty if no question has one. */
  find(name: string): readonly AnswerColumn[];
  isQuestion(name: string): boolean;
  /**
   * Converts the headings of a file to names in exports with question codes: `id. Response ID` to `id`, and names of
   * database columns such as `Q12_S34` to `Q1[SQ001]`. A heading such as `Q12` can be a code, too. It is one, unless
   * more headings name questions as database columns than as codes.
   */
  toNames(headings: readonly string[]): readonly string[];
  /** Converts the name of a database column. */
  readonly ofField: ToColumnName;
  /** Whether a column is about the response, or of a question of the survey. */
  isKnown(name: string): boolean;
  /** Whether a column has times of the response, or answers to a date question. */
  isTime(name: string): boolean;
  /** Whether a column is of a question that the survey could not take, or of files. */
  isNoAnswer(name: string): boolean;
}

/** Columns with details of the response: id, times and language. */
const DETAILS: readonly string[] = ['id', 'submitdate', 'startdate', 'datestamp', 'startlanguage'];
/** Columns with times of the response. */
export const TIME_COLUMNS: readonly string[] = ['submitdate', 'startdate', 'datestamp'];
/** Columns about the response that its metadata keeps. */
export const METADATA: readonly string[] = ['token', 'ipaddr', 'refurl', 'seed', 'lastpage'];
/** Columns with durations. */
export const DURATION_COLUMNS = /Time\d*$|^interviewtime$/;

export function createColumnNames(payload: JsonObject): ColumnNames {
  const index = indexQuestions(payload);
  const find = createColumnFinder(index);
  const ofField = createToColumnName(index);
  const isQuestion = (name: string) => find(name).length > 0;
  const unconverted = unconvertedIn(payload);
  const ofUnconverted = createToColumnName(unconverted);
  const files = index.filter(({ type }) => type === 'file_upload');
  const unconvertedCodes = new Set([...unconverted, ...files].map(({ sourceId }) => sourceId));
  const countQuestions = (names: readonly string[]) => names.filter(isQuestion).length;
  return {
    find,
    isQuestion,
    ofField,
    toNames(headings) {
      const codes = headings.map((heading) => {
        const code = codeOf(heading) ?? '';
        const isAboutResponse = DETAILS.includes(code) || METADATA.includes(code) || DURATION_COLUMNS.test(code);
        return isAboutResponse && !isQuestion(heading) ? code : heading;
      });
      const fields = codes.map(ofField);
      return countQuestions(fields) > countQuestions(codes) ? fields : codes;
    },
    isKnown: (name) => DETAILS.includes(name) || METADATA.includes(name) || isQuestion(name),
    isTime: (name) => TIME_COLUMNS.includes(name) || find(name).some(({ question }) => question.type === 'date'),
    isNoAnswer: (name) => unconvertedCodes.has(name.replace(/[[_].*$/s, '')) || ofUnconverted(name) !== name,
  };
}

/** A column of an export. */
export type AnswerColumn =
  | CodedColumn<IndexedQuestion, WordedOption>
  /** The code of a choice question whose only option is `other`. Such a question is converted to a text question. */
  | { readonly kind: 'other_code'; readonly question: IndexedQuestion }
  /** The item with this rank. */
  | { readonly kind: 'rank'; readonly question: IndexedQuestion; readonly rank: WordedOption }
  /** The items of a ranking in their order: a JSON list of codes. */
  | { readonly kind: 'ranks'; readonly question: IndexedQuestion };

/** End of the name of a column with the text of `other`. */
export const OTHER_COLUMN = '[other]';

/**
 * Finds the answers that a column of the file contains, by its name; empty if it belongs to no question. A date with a
 * time gives two: one for the question about the date, and one for that about the time.
 */
type FindColumns = (name: string) => readonly AnswerColumn[];

/** Indexes the columns of exports: `Q1`, `Q1[SQ001]`, or `Q1_SQ001` in exports for statistics software. */
export function createColumnFinder(index: readonly IndexedQuestion[]): FindColumns {
  const columns = new Map<string, AnswerColumn[]>();
  const alternatives = new Map<string, AnswerColumn[]>();
  for (const question of index) {
    for (const [name, column] of columnsOf(question)) {
      add(columns, name, column);
      add(alternatives, toVariable(name), column);
    }
  }
  return (name) => {
    const found = columns.get(name) ?? alternatives.get(name);
    if (found !== undefined) return found;
    const code = codeOf(name);
    return (code === undefined ? undefined : columns.get(code)) ?? [];
  };
}

/** Converts the name of a column to that of a variable, which exports for statistics software also have. */
export function toVariable(name: string): string {
  return name.replaceAll(/[[\]]+/g, '_').replace(/_$/, '');
}

/** The code of a heading with code and text: `Q1` of `Q1. How was it?`; undefined for other headings. */
export function codeOf(heading: string): string | undefined {
  return /^([^.\s]+)\. /.exec(heading)?.[1];
}

function add(columns: Map<string, AnswerColumn[]>, name: string, column: AnswerColumn): void {
  // Only the date and the time of one question share a column. Otherwise, the first question has it.
  if (!columns.has(name) || column.question.moment !== undefined) addToList(columns, name, column);
}

function columnsOf(question: IndexedQuestion): readonly (readonly [name: string, column: AnswerColumn])[] {
  const { type, sourceId, letter, options, rows, columns, allowOther, multiple, scale } = question;
  const other: readonly (readonly [string, AnswerColumn])[] = allowOther
    ? [[`${sourceId}${OTHER_COLUMN}`, { kind: 'other', question }]]
    : [];
  switch (type) {
    case 'multiple_choice':
      return [
        ...options.map((option) => [`${sourceId}[${option.code}]`, { kind: 'option', question, option }] as const),
        ...other,
      ];
    case 'likert': {
      const code = sourceId.replace(/#\d$/, '');
      const end = scale === undefined ? '' : `[${scale}]`;
      return rows.map((row) => [`${code}[${row.code}]${end}`, { kind: 'row', question, row }] as const);
    }
    case 'matrix':
      if (letter === 'R') {
        return [
          ...columns.map((rank) => [`${sourceId}[${rank.code}]`, { kind: 'rank', question, rank }] as const),
          [sourceId, { kind: 'ranks', question }],
        ];
      }
      if (!multiple) return [];
      return rows.flatMap((row) =>
        columns.map(
          (column) => [`${sourceId}[${row.code}_${column.code}]`, { kind: 'cell', question, row, column }] as const,
        ),
      );
    case 'file_upload':
      return [];
    default:
      // For a choice with only `other`, the text is in the column `Q1[other]`. The column `Q1` has the code `-oth-`.
      if (sourceId.endsWith(OTHER_COLUMN)) {
        return [
          [sourceId.slice(0, -OTHER_COLUMN.length), { kind: 'other_code', question }],
          [sourceId, { kind: 'value', question }],
        ];
      }
      return [[sourceId.replace(/#time$/, ''), { kind: 'value', question }], ...other];
  }
}

/** A converted question with its names and codes in LimeSurvey. */
export interface IndexedQuestion {
  readonly id: string;
  readonly type: string;
  /** Prefix of its column names. */
  readonly sourceId: string;
  /** Prefix of its variables in expressions. */
  readonly variable: string;
  /** Question type of LimeSurvey, such as `L`; empty if unknown. */
  readonly letter: string;
  /** Database id of the LimeSurvey question. Of several questions converted from it, only the first has the id. */
  readonly qid: string | undefined;
  /** Codes of its subquestions by their database ids. Surveys of earlier imports lack them. */
  readonly subquestions: ReadonlyMap<string, string>;
  /** For questions made of a LimeSurvey date question: `date` or `time`. */
  readonly moment: string | undefined;
  /** For questions made of a LimeSurvey question with two scales: `1` or `2`. */
  readonly scale: string | undefined;
  readonly format: string | undefined;
  readonly allowOther: boolean;
  readonly multiple: boolean;
  readonly options: readonly WordedOption[];
  readonly rows: readonly WordedOption[];
  readonly columns: readonly WordedOption[];
}

/** The questions of a payload with their LimeSurvey names. `preserve_ids: false` does not change these names. */
export function indexQuestions(payload: JsonObject): readonly IndexedQuestion[] {
  return answeredQuestions(payload).flatMap(({ id, type, question, sourceData: data }): readonly IndexedQuestion[] => {
    const text = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
    const sourceId = text('source_id');
    if (sourceId === undefined) return [];
    return [
      {
        id,
        sourceId,
        type,
        variable: text('variable') ?? sourceId,
        letter: text('type') ?? '',
        qid: text('qid'),
        subquestions: codesOf(data[SUBQUESTION_CODES]),
        moment: text('moment'),
        scale: text('scale'),
        format: typeof question['format'] === 'string' ? question['format'] : undefined,
        allowOther: question['allow_other'] === true,
        multiple: question['multiple'] === true,
        options: optionsOf(question['options']),
        rows: optionsOf(question['rows']),
        columns: optionsOf(question['columns']),
      },
    ];
  });
}

/** The member of `source_data` with the codes of subquestions by their database ids. */
export const SUBQUESTION_CODES = 'subquestion_codes';

function codesOf(codes: JsonValue | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(isObject(codes) ? codes : {}).map(([id, code]) => [id, String(code)]));
}

function optionsOf(list: JsonValue | undefined): readonly WordedOption[] {
  return objectsOf(list).flatMap(({ id, text, source_data: data }) => {
    const code = isObject(data) ? data['source_id'] : undefined;
    return typeof id === 'string' && typeof code === 'string' ? [{ id, code, texts: textsOf(text) }] : [];
  });
}

/** Maximum characters of the name of a database column. */
const MAX_FIELD = 200;
/** Names up to LimeSurvey 6: ids of survey, group and question, then a suffix. XML adds an underscore before them. */
const FIELD = /^_?\d+X\d+X(\d.*)$/s;
/** Parts of names since LimeSurvey 7: `Q45_S67` has ids of question and subquestion. `#1` is the second scale. */
const QUESTION_PART = /^Q(\d+)$/;
const SUBQUESTION_PART = /^S(\d+)(?:[#-]([01]))?$/;
/** A column of the question itself, such as `Cother`. */
const WORD_PART = /^C([a-z]+)$/;

/**
 * Converts the name of a database column to that of an export: `12X3X45SQ001` or `Q45_S67` to `Q1[SQ001]`. Others are
 * unchanged.
 */
export type ToColumnName = (field: string) => string;

type NumberedQuestion = Pick<IndexedQuestion, 'qid' | 'sourceId' | 'subquestions' | 'letter' | 'rows'>;

interface FieldQuestion extends Pick<NumberedQuestion, 'subquestions' | 'letter' | 'rows'> {
  readonly code: string;
  /** Codes of its subquestions. */
  readonly codes: ReadonlySet<string>;
}

/** The questions that the survey keeps in its `source_data`, because they have no equivalent. */
function unconvertedIn({ survey }: JsonObject): readonly NumberedQuestion[] {
  const kept = isObject(survey) ? sourceDataOf(survey)['questions'] : undefined;
  return objectsOf(kept).map(({ id, qid, title }) => ({
    qid: String(id ?? qid),
    sourceId: String(title),
    subquestions: new Map(),
    letter: '',
    rows: [],
  }));
}

export function createToColumnName(index: readonly NumberedQuestion[]): ToColumnName {
  const questions = new Map(
    index.flatMap(({ qid, sourceId, subquestions, letter, rows }): readonly (readonly [string, FieldQuestion])[] => {
      if (qid === undefined) return [];
      const code = sourceId.replace(/[[#].*$/s, '');
      return [[qid, { code, codes: new Set(subquestions.values()), subquestions, letter, rows }]];
    }),
  );
  return (field) => {
    if (field.length > MAX_FIELD) return field;
    const rest = FIELD.exec(field)?.[1];
    return (rest === undefined ? nameOfParts(field, questions) : nameOfNumbers(rest, questions)) ?? field;
  };
}

function nameOfNumbers(rest: string, questions: ReadonlyMap<string, FieldQuestion>): string | undefined {
  let longest: string | undefined;
  // Codes of subquestions can begin with digits. The longest id wins, unless only a shorter one has the rest as a code.
  for (let { length } = /^\d+/.exec(rest)?.[0] ?? ''; length > 0; length -= 1) {
    const question = questions.get(rest.slice(0, length));
    if (question === undefined) continue;
    const { code, codes } = question;
    const suffix = rest.slice(length);
    if (suffix === '') return code;
    if (codes.has(suffix)) return `${code}[${suffix}]`;
    // `#0` and `#1` are the scales of questions with two scales. XML elements have a hyphen instead.
    const [, row, scale] = /^(.+)[#-]([01])$/s.exec(suffix) ?? [];
    longest ??=
      row === undefined
        ? `${code}[${suffix.replace(/^_(?=filecount$)/, '')}]`
        : `${code}[${row}][${Number(scale) + 1}]`;
  }
  return longest;
}

function nameOfParts(field: string, questions: ReadonlyMap<string, FieldQuestion>): string | undefined {
  const [first = '', ...parts] = field.split('_');
  const question = questions.get(QUESTION_PART.exec(first)?.[1] ?? '');
  if (question === undefined) return undefined;
  const { code, subquestions, letter, rows } = question;
  if (parts.length === 0) return code;
  const codes: string[] = [];
  let [word, scale] = ['', ''];
  for (const part of parts) {
    const [, id = '', ofScale = ''] = SUBQUESTION_PART.exec(part) ?? [];
    const ofId = subquestions.get(id);
    if (ofId !== undefined) codes.push(ofId);
    else word = WORD_PART.exec(part)?.[1] ?? '';
    if (ofId === undefined && word === '') return undefined;
    scale = ofScale;
  }
  // The first ranks have the ids of the first items, whichever items they are.
  const rank = letter === 'R' ? rows.findIndex((row) => row.code === codes[0]) : -1;
  const inBrackets = rank < 0 ? `${codes.join('_')}${word}` : String(rank + 1);
  return `${code}[${inBrackets}]${scale === '' ? '' : `[${Number(scale) + 1}]`}`;
}

/** Columns about the response that each VV file has. */
const REQUIRED_COLUMNS = ['id', 'submitdate'];
const NOT_SHOWN = '{question_not_shown}';
/** Escapes of VV cells. */
const ESCAPES: Readonly<Record<string, string>> = {
  '{newline}': '\n',
  '{cr}': '\r',
  '{tab}': '\t',
  '{quote}': '"',
  '{lbrace}': '{',
};

/** The names in the second row of a VV file; undefined if it is no VV file. */
function vvNames([, second]: readonly Row[]): readonly string[] | undefined {
  const names = second === undefined ? [] : readNames(second);
  return REQUIRED_COLUMNS.every((name) => names.includes(name)) ? names : undefined;
}

/** The name of a VV column with the scale of other exports: VV files count scales from 0, others from 1. */
function withScale(name: string, { find }: ColumnNames): string {
  const [, row, scale] = /^(.+)_([01])$/s.exec(name) ?? [];
  const shifted = `${row}_${Number(scale) + 1}`;
  const isScale = row !== undefined && find(shifted).some(({ question }) => question.scale !== undefined);
  return isScale ? shifted : name;
}

/** The text of a VV cell; empty for a question that was not shown. */
function fromVvCell(cell: string): string {
  if (cell.trim() === NOT_SHOWN) return '';
  return cell.replaceAll(/\{(?:newline|cr|tab|quote|lbrace)\}/g, (name) => ESCAPES[name] ?? name);
}
