import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../files/report.ts';
import { duplicateNames, readNames } from '../tables/header.ts';
import type { Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import type { Lss, LssRow } from './document.ts';

/** Maximum rows of all tables. Each attribute of a question is a row. */
const MAX_ROWS = 200_000;
const REQUIRED = ['class', 'type/scale', 'name', 'text'];
/** Columns with members of questions. Other columns have attributes. */
const COLUMNS = new Set(
  'id related_id class type/scale name relevance text help language validation mandatory encrypted other default same_default'.split(
    ' ',
  ),
);
/** Table names in `source_data` for rows that are not converted, by the class of the row. */
const KEPT_TABLES: Readonly<Record<string, string>> = {
  AS: 'assessments',
  QTA: 'quota',
  QTAM: 'quota_members',
  QTALS: 'quota_languagesettings',
};

type Fields = Readonly<Record<string, string>>;

/** Ids of records by name, in the order of the file. */
interface Ids {
  /** The id of a name. The same name in another language is the same record. */
  idOf(name: string, language: string): string;
}

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
  const tables = new Map<string, LssRow[]>();
  let count = 0;
  const add = (name: string, number: number, given: Fields) => {
    count += 1;
    if (count > MAX_ROWS) throw reject('TOO_LARGE', `The file has more than ${MAX_ROWS} rows and attributes`);
    const fields = new Map(Object.entries(given).filter(([, value]) => value !== ''));
    const rows = tables.get(name) ?? [];
    tables.set(name, rows);
    rows.push({ path: `@${number}`, fields, get: (field) => fields.get(field) ?? '' });
  };
  let names: readonly string[] | undefined;
  let build: ReturnType<typeof createBuilder> | undefined;
  for await (const row of table.rows()) {
    if (names === undefined) {
      names = readHeader(row, table.description);
      build = createBuilder(names, add);
      continue;
    }
    build?.take(row);
  }
  // Throws, because the table has no rows.
  if (names === undefined) readNames(undefined);
  build?.end();
  return { rows: (name) => tables.get(name) ?? [], tables: [...tables.keys()] };
}

function readHeader(row: Row, description: string): readonly string[] {
  const names = readNames(row).map((name) => name.toLowerCase());
  const missing = REQUIRED.find((name) => !names.includes(name));
  if (missing !== undefined) {
    const detail = `row ${row.number}: the file is not the tab-separated structure of a LimeSurvey survey: it has no column ${missing} (${description})`;
    throw reject('WRONG_TYPE', detail);
  }
  const problems = duplicateNames(names, row.number);
  if (problems.length > 0) throw invalidImport(problems);
  return names;
}

function createBuilder(names: readonly string[], add: (table: string, number: number, fields: Fields) => void) {
  const settings = new Map<string, string>();
  const texts = new Map<string, Map<string, string>>();
  // Ids of questions begin with a letter, so that none seems to be of the database: the column `id` has these.
  const [groups, questions, items] = [createIds(''), createIds('q'), createIds('s')];
  const positions = new Map(names.map((name, position) => [name, position]));
  let [gid, qid, order] = ['', '', 0];
  let firstRow = 0;

  /** Cells with a value and a heading. Rows can have far fewer cells than the header. */
  function filled(cells: readonly string[]): readonly (readonly [name: string, value: string])[] {
    return cells.flatMap((cell, position): readonly (readonly [string, string])[] => {
      const [name = '', value] = [names[position], cell.trim()];
      return name === '' || value === '' ? [] : [[name, value]];
    });
  }

  function take({ number, cells }: Row): void {
    const cell = (name: string) => (cells[positions.get(name) ?? -1] ?? '').trim();
    const [kind, type, name, text] = [cell('class').toUpperCase(), cell('type/scale'), cell('name'), cell('text')];
    const language = cell('language') || (settings.get('language') ?? '');
    const common = { language, relevance: cell('relevance') };
    if (firstRow === 0) firstRow = number;
    order += 1;
    switch (kind) {
      case 'S':
        settings.set(name, text);
        break;
      case 'SL': {
        const languageTexts = texts.get(language) ?? new Map([['surveyls_language', language]]);
        texts.set(language, languageTexts);
        languageTexts.set(name, text);
        break;
      }
      case 'G':
        gid = groups.idOf(type, language);
        add('groups', number, {
          gid,
          group_name: name,
          description: text,
          group_order: String(order),
          grelevance: cell('relevance'),
          language,
        });
        break;
      case 'Q': {
        // Questions before the first group are in a group of their own.
        if (gid === '') {
          gid = groups.idOf('', language);
          add('groups', number, { gid, language });
        }
        qid = questions.idOf(name, language);
        const given = {
          id: cell('id'),
          title: name,
          question: text,
          help: cell('help'),
          question_order: String(order),
        };
        const flags = {
          mandatory: cell('mandatory'),
          other: cell('other'),
          encrypted: cell('encrypted'),
          same_default: cell('same_default'),
        };
        add('questions', number, { qid, gid, type, ...given, preg: cell('validation'), ...flags, ...common });
        for (const [attribute, value] of filled(cells)) {
          if (!COLUMNS.has(attribute)) add('question_attributes', number, { qid, attribute, value, language });
        }
        if (cell('default') !== '') add('defaultvalues', number, { qid, language, defaultvalue: cell('default') });
        break;
      }
      case 'SQ': {
        const members = { parent_qid: qid, gid, title: name, question: text, scale_id: type || '0' };
        const id = items.idOf(`${qid} ${type} ${name}`, language);
        add('subquestions', number, { id: cell('id'), qid: id, ...members, question_order: String(order), ...common });
        break;
      }
      case 'A': {
        const members = { code: name, answer: text, scale_id: type || '0', assessment_value: cell('assessment_value') };
        add('answers', number, { qid, ...members, sortorder: String(order), language });
        break;
      }
      default: {
        if (kind === '') break;
        const values = filled(cells).filter(([one]) => one !== 'class');
        add(Object.hasOwn(KEPT_TABLES, kind) ? (KEPT_TABLES[kind] ?? kind) : `tsv_${kind}`, number, {
          ...Object.fromEntries(values),
        });
      }
    }
  }

  return {
    take,
    end() {
      add('surveys', firstRow, Object.fromEntries(settings));
      for (const one of texts.values()) add('surveys_languagesettings', firstRow, Object.fromEntries(one));
    },
  };
}

/** A name that occurs twice in the same language is two records. */
function createIds(prefix: string): Ids {
  const ids = new Map<string, string>();
  const seen = new Map<string, number>();
  return {
    idOf(name, language) {
      const count = seen.get(`${language} ${name}`) ?? 0;
      seen.set(`${language} ${name}`, count + 1);
      const key = JSON.stringify([name, count]);
      const id = ids.get(key) ?? `${prefix}${ids.size + 1}`;
      ids.set(key, id);
      return id;
    },
  };
}

function reject(code: string, detail: string): Error {
  return invalidImport([{ path: '', code, detail }]);
}
