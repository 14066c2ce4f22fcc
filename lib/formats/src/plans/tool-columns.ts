import type { JsonObject } from '@bufbuild/protobuf';
import type { ToolTable } from '../headers/tool-layout.ts';
import { createColumnFinder as createLimesurveyFinder } from '../limesurvey/answer-columns.ts';
import { indexQuestions as indexLimesurvey } from '../limesurvey/question-index.ts';
import { createRecordReader } from '../limesurvey/response-record.ts';
import { MICROSOFT_FORMS } from '../microsoft-forms/responses.ts';
import { createColumnFinder as createQualtricsFinder } from '../qualtrics/answer-columns.ts';
import { indexQuestions as indexQualtrics } from '../qualtrics/question-index.ts';
import { type MetaName, readResponseHeader } from '../qualtrics/response-header.ts';
import { textsOf } from '../shared/language-texts.ts';
import { questionsOf } from '../shared/payload-questions.ts';
import { sourceDataOf } from '../shared/source-data.ts';
import { SURVEYMONKEY } from '../surveymonkey/response-table.ts';
import { readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { TYPEFORM } from '../typeform/response-table.ts';

/** Columns of another tool's table: the target of each, as in the option `columns`, by position. */
export interface ToolColumns {
  readonly headings: readonly string[];
  readonly headerRows: number;
  readonly targets: ReadonlyMap<number, string>;
}

/** Finds the columns of a table from its first rows, at most three, like the reader of the tool. */
export type FindToolColumns = (first: readonly Row[], payload: JsonObject) => ToolColumns;

interface FoundColumn {
  readonly kind: string;
  readonly question: { readonly id: string };
  readonly option?: { readonly id: string };
  readonly row?: { readonly id: string };
  readonly column?: { readonly id: string };
}

const QUALTRICS_META: Partial<Readonly<Record<MetaName, string>>> = {
  id: 'id',
  startedAt: 'started_at',
  endedAt: 'submitted_at',
  recordedAt: 'submitted_at',
  finished: 'status',
  language: 'language',
};
const LIMESURVEY_META: Readonly<Record<string, string>> = {
  id: 'id',
  submitdate: 'submitted_at',
  startdate: 'started_at',
  datestamp: 'submitted_at',
  startlanguage: 'language',
};
const XLSFORM_META: Readonly<Record<string, string>> = {
  start: 'started_at',
  end: 'submitted_at',
  _submission_time: 'submitted_at',
  SubmissionDate: 'submitted_at',
  _uuid: 'id',
  KEY: 'id',
  'meta-instanceID': 'id',
  'meta/instanceID': 'id',
};

const findQualtricsColumns: FindToolColumns = (first, payload) => {
  const header = readResponseHeader(first);
  const finder = createQualtricsFinder(indexQualtrics(payload));
  const targets = new Map<number, string>();
  for (const [name, position] of header.meta) targets.set(position, QUALTRICS_META[name] ?? `metadata.${name}`);
  for (const [position, name] of header.names.entries()) {
    const column = targets.has(position) ? undefined : finder.find(header.importIds[position], name);
    if (column !== undefined) targets.set(position, nameOf(column));
  }
  return { headings: header.names, headerRows: header.rows, targets };
};

const findLimesurveyColumns: FindToolColumns = ([first], payload) => {
  const reader = createRecordReader(payload, () => {});
  const find = createLimesurveyFinder(indexLimesurvey(payload));
  const headings = readNames(first);
  const targets = new Map<number, string>();
  for (const [position, heading] of headings.entries()) {
    const name = reader.toName(heading);
    const [column] = find(name);
    if (column !== undefined) targets.set(position, nameOf(column));
    else if (reader.isKnown(name)) targets.set(position, LIMESURVEY_META[name] ?? `metadata.${name}`);
  }
  return { headings, headerRows: 1, targets };
};

const findXlsformColumns: FindToolColumns = ([first], payload) => {
  const headings = readNames(first);
  const byName = new Map<string, string>();
  const add = (name: string, target: string) => {
    if (!byName.has(name)) byName.set(name, target);
  };
  for (const question of questionsOf(payload)) {
    const { source_id: path } = sourceDataOf(question);
    const id = String(question['id']);
    if (typeof path !== 'string') continue;
    const rows = Array.isArray(question['rows']) ? question['rows'] : [];
    const fields = [
      { path, target: id, texts: textsOf(question['title']) },
      ...rows.map((row) => {
        const part = row as JsonObject;
        const own = sourceDataOf(part)['source_id'];
        const target = `${id}[${String(part['id'])}]`;
        return { path: typeof own === 'string' ? own : String(part['id']), target, texts: textsOf(part['text']) };
      }),
    ];
    for (const field of fields) {
      add(toPath(field.path), field.target);
      add(field.path.slice(field.path.lastIndexOf('/') + 1), field.target);
      for (const text of field.texts) add(text, field.target);
    }
  }
  const targets = new Map<number, string>();
  for (const [position, heading] of headings.entries()) {
    const path = toPath(heading);
    const target =
      byName.get(heading) ??
      byName.get(path) ??
      XLSFORM_META[heading] ??
      byName.get(path.slice(0, Math.max(0, path.lastIndexOf('/')))) ??
      (heading === '' ? undefined : `metadata.${heading}`);
    if (target !== undefined) targets.set(position, target);
  }
  return { headings, headerRows: 1, targets };
};

/** Tools whose tables have titles. */
export const TOOL_TABLES: Readonly<Record<string, ToolTable>> = {
  microsoft_forms: MICROSOFT_FORMS,
  surveymonkey: SURVEYMONKEY,
  typeform: TYPEFORM,
};

/** Tools whose tables have names of their own. */
export const TOOL_COLUMNS: Readonly<Record<string, FindToolColumns>> = {
  qualtrics: findQualtricsColumns,
  limesurvey: findLimesurveyColumns,
  xlsform: findXlsformColumns,
};

function nameOf({ kind, question, option, row, column }: FoundColumn): string {
  if (kind === 'other' || kind === 'entry') return `${question.id}.other`;
  return [question.id, ...[option, row, column].flatMap((part) => (part === undefined ? [] : [`[${part.id}]`]))].join(
    '',
  );
}

/** A heading with any group separator as a path. */
function toPath(heading: string): string {
  return heading.replaceAll(/[-/:.]/g, '/');
}
