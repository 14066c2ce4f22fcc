import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { getOrAdd } from '../core/maps.ts';
import { invalidImport, wrongType } from '../files/report.ts';
import { duplicateNames, readNames } from '../tables/header.ts';
import { firstRows, rowsAfter, type Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { createTables, type Lss } from './document.ts';

const REQUIRED = ['class', 'type/scale', 'name', 'text'];
/** Columns with fields of rows. Other columns have attributes. */
const FIELD_COLUMNS = new Set(
  'id related_id class type/scale name relevance text help language validation mandatory encrypted other default same_default'.split(
    ' ',
  ),
);
/** Table names in `source_data` for rows that are not converted, by the class of the row. */
const KEPT_TABLES: ReadonlyMap<string, string> = new Map([
  ['AS', 'assessments'],
  ['QTA', 'quota'],
  ['QTAM', 'quota_members'],
  ['QTALS', 'quota_languagesettings'],
]);

/** Converts the path of a row of a TSV, `@12`, to "row 12" in the detail. */
export function toRowProblem(problem: FieldProblem): FieldProblem {
  const [, row] = /^@(\d+)/.exec(problem.path) ?? [];
  return row === undefined ? problem : { ...problem, path: '', detail: `row ${row}: ${problem.detail}` };
}

/**
 * Reads the tab-separated structure of a survey into the tables of an LSS. Paths of rows are `@12`: see `toRowProblem`.
 * Throws `INVALID_IMPORT`.
 */
export async function readTsv(table: Table): Promise<Lss> {
  const { add, lss } = createTables('rows and attributes');
  const [header] = await firstRows(table, 1);
  const names = readHeader(header, table.description);
  const converter = createRowConverter((name, row, fields) => add(name, Object.entries(fields), `@${row}`));
  for await (const { number, cells } of rowsAfter(table, 1)) converter.convert(toTsvRow(names, cells, number));
  converter.end();
  return lss;
}

function readHeader(row: Row | undefined, description: string): readonly string[] {
  const names = readNames(row).map((name) => name.toLowerCase());
  const number = row?.number ?? 1;
  const missing = REQUIRED.find((name) => !names.includes(name));
  if (missing !== undefined) {
    const detail = `row ${number}: the file is not the tab-separated structure of a LimeSurvey survey: it has no column ${missing} (${description})`;
    throw wrongType('', detail);
  }
  const problems = duplicateNames(names, number);
  if (problems.length > 0) throw invalidImport(problems);
  return names;
}

/** A row with its cells by name. Empty cells, and cells without a heading, are left out. */
interface TsvRow {
  readonly number: number;
  readonly cells: ReadonlyMap<string, string>;
  /** The trimmed cell of a column; empty if there is none. */
  cell(name: string): string;
}

function toTsvRow(names: readonly string[], given: readonly string[], number: number): TsvRow {
  const cells = new Map<string, string>();
  for (const [position, cell] of given.entries()) {
    const [name = '', value] = [names[position], cell.trim()];
    if (name !== '' && value !== '') cells.set(name, value);
  }
  return { number, cells, cell: (name) => cells.get(name) ?? '' };
}

type Fields = Readonly<Record<string, string>>;

/** Fields of LSS tables: `field`, or `field=column` if its column has another name. */
const FIELDS = {
  groups: 'group_name=name description=text grelevance=relevance randomization_group=random_group',
  questions:
    'type=type/scale id title=name question=text help preg=validation mandatory other encrypted same_default relevance',
  subquestions: 'id title=name question=text help preg=validation mandatory other encrypted same_default relevance',
  answers: 'code=name answer=text assessment_value',
};

function attributesOf({ cells }: TsvRow): readonly (readonly [name: string, value: string])[] {
  return [...cells].filter(([name]) => !FIELD_COLUMNS.has(name));
}

function fieldsOf(table: keyof typeof FIELDS, { cell }: TsvRow): Fields {
  const names = FIELDS[table].split(' ').map((name) => name.split('='));
  return Object.fromEntries(names.map(([field = '', column = field]) => [field, cell(column)]));
}

/** Id of a group for the questions before the first group. The ids of groups begin at 1. */
const NO_GROUP = '0';

/**
 * Creates a converter of rows, in the order of the file, to rows of LSS tables. A question is of the group before it in
 * its language; subquestions and answers are of the question before them.
 *
 * @param add adds fields to a table, with the number of their row
 */
function createRowConverter(add: (table: string, row: number, fields: Fields) => void) {
  const settings = new Map<string, string>();
  const textsByLanguage = new Map<string, Map<string, string>>();
  // Ids that begin with a letter are made here. Numbers are ids of the database, which are in the column `id`.
  const [toGroupId, toQuestionId, toSubquestionId] = [idAssigner(''), idAssigner('q'), idAssigner('s')];
  /** The id of the last group, by language. */
  const groupIds = new Map<string, string>();
  let hasUngrouped = false;
  let [gid, qid] = ['', ''];
  let [firstRow, rowsSoFar] = [0, 0];

  function addText(language: string, { cell }: TsvRow): void {
    const texts = getOrAdd(textsByLanguage, language, () => new Map([['surveyls_language', language]]));
    texts.set(cell('name'), cell('text'));
  }

  /** The column `type/scale` identifies a group, because its name is translated. */
  function addGroup(language: string, row: TsvRow): void {
    gid = toGroupId(row.cell('type/scale'), language);
    groupIds.set(language, gid);
    const { random_group: _, ...attributes } = Object.fromEntries(attributesOf(row));
    const fields = { ...attributes, gid, language, ...fieldsOf('groups', row), group_order: String(rowsSoFar) };
    add('groups', row.number, fields);
  }

  function addQuestion(language: string, row: TsvRow): void {
    const { number } = row;
    if (gid === '') {
      hasUngrouped = true;
      add('groups', number, { gid: NO_GROUP, language });
    }
    // A file in the order of languages has such questions at the beginning of each language. But a language without any
    // group uses those of the language before it.
    gid = groupIds.get(language) ?? (hasUngrouped ? NO_GROUP : gid);
    qid = toQuestionId(row.cell('name'), language);
    add('questions', number, { qid, gid, language, ...fieldsOf('questions', row), question_order: String(rowsSoFar) });
    addMore({ qid }, language, row);
  }

  /** Adds the attributes and the default value of a question or subquestion. */
  function addMore(ids: { readonly qid: string; readonly sqid?: string }, language: string, row: TsvRow): void {
    for (const [attribute, value] of attributesOf(row)) {
      add('question_attributes', row.number, { qid: ids.sqid ?? ids.qid, attribute, value, language });
    }
    const defaultvalue = row.cell('default');
    if (defaultvalue !== '') add('defaultvalues', row.number, { ...ids, language, defaultvalue });
  }

  function addSubquestion(language: string, row: TsvRow): void {
    const scale = row.cell('type/scale');
    const id = toSubquestionId(`${qid} ${scale} ${row.cell('name')}`, language);
    const ids = { qid: id, parent_qid: qid, gid, language, scale_id: scale || '0' };
    add('subquestions', row.number, { ...ids, ...fieldsOf('subquestions', row), question_order: String(rowsSoFar) });
    addMore({ qid, sqid: id }, language, row);
  }

  function addAnswer(language: string, row: TsvRow): void {
    const ids = { qid, language, scale_id: row.cell('type/scale') || '0' };
    const attributes = Object.fromEntries(attributesOf(row));
    add('answers', row.number, { ...attributes, ...ids, ...fieldsOf('answers', row), sortorder: String(rowsSoFar) });
  }

  function convert(row: TsvRow): void {
    const { number, cell, cells } = row;
    const [rowClass, language] = [cell('class').toUpperCase(), cell('language') || (settings.get('language') ?? '')];
    if (firstRow === 0) firstRow = number;
    rowsSoFar += 1;
    if (rowClass === 'S') settings.set(cell('name'), cell('text'));
    else if (rowClass === 'SL') addText(language, row);
    else if (rowClass === 'G') addGroup(language, row);
    else if (rowClass === 'Q') addQuestion(language, row);
    else if (rowClass === 'SQ') addSubquestion(language, row);
    else if (rowClass === 'A') addAnswer(language, row);
    else if (rowClass !== '') {
      const { class: _, ...fields } = Object.fromEntries(cells);
      add(KEPT_TABLES.get(rowClass) ?? `tsv_${rowClass}`, number, fields);
    }
  }

  return {
    convert,
    /** Adds the settings and texts of the survey. */
    end() {
      add('surveys', firstRow, Object.fromEntries(settings));
      for (const texts of textsByLanguage.values()) {
        add('surveys_languagesettings', firstRow, Object.fromEntries(texts));
      }
    },
  };
}

/**
 * Makes ids of names, in the order of the file. Rows with a name in several languages are one record: the nth row of a
 * language belongs to the nth rows of the other languages. Several rows in one language are several records.
 */
function idAssigner(prefix: string): (name: string, language: string) => string {
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  return (name, language) => {
    const count = counts.get(`${language} ${name}`) ?? 0;
    counts.set(`${language} ${name}`, count + 1);
    const key = JSON.stringify([name, count]);
    return getOrAdd(ids, key, () => `${prefix}${ids.size + 1}`);
  };
}
