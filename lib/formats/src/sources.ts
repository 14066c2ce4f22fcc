import { readAnswerSheet, readAnswerTable, readTableSurvey } from './answer-table/survey.ts';
import { ANSWER_TABLE } from './answer-table/table-words.ts';
import type { CodedTable } from './core/columns/plan-codes.ts';
import type { TitledTable } from './core/columns/plan-titles.ts';
import { CUSTOM_TABLE, readCustomCsvResponses } from './core/columns/read-table.ts';
import type { ResponseFileReader, SurveyFileReader } from './core/reader.ts';
import { readCustomJsonResponses, readCustomNdjsonResponses } from './custom/responses.ts';
import { readCustomJsonSurvey } from './custom/survey.ts';
import { readCustomCsvSurvey } from './custom/survey-csv.ts';
import { readFormbricksResponses } from './formbricks/responses.ts';
import { readFormbricksSurvey } from './formbricks/survey.ts';
import { readGoogleFormsResponses } from './google-forms/responses.ts';
import { readGoogleFormsSurvey } from './google-forms/survey.ts';
import { LIMESURVEY } from './limesurvey/headers.ts';
import {
  readLimesurveyArchiveResponses,
  readLimesurveyCsvResponses,
  readLimesurveyJsonResponses,
} from './limesurvey/responses.ts';
import { readLimesurveySurvey, readLimesurveyTsvSurvey } from './limesurvey/survey.ts';
import { MICROSOFT_FORMS_TABLE, readMicrosoftFormsResponses } from './microsoft-forms/responses.ts';
import { readMicrosoftFormsSurvey } from './microsoft-forms/survey.ts';
import { QUALTRICS } from './qualtrics/headers.ts';
import { readQualtricsResponses } from './qualtrics/responses.ts';
import { readQualtricsSurvey } from './qualtrics/survey.ts';
import { readSurveyjsResponses } from './surveyjs/responses.ts';
import { readSurveyjsSurvey } from './surveyjs/survey.ts';
import { readSurveyMonkeyTable, SURVEYMONKEY_TABLE } from './surveymonkey/headers.ts';
import { readSurveyMonkeyResponses } from './surveymonkey/responses.ts';
import { readSurveyMonkeySurvey } from './surveymonkey/survey.ts';
import { readTypeformTable, TYPEFORM_TABLE } from './typeform/headers.ts';
import { readTypeformResponses } from './typeform/responses.ts';
import { readTypeformSurvey } from './typeform/survey.ts';
import { XLSFORM } from './xlsform/headers.ts';
import { readXlsformJsonResponses, readXlsformTableResponses } from './xlsform/responses.ts';
import { readXlsformCsvSurvey, readXlsformJsonSurvey, readXlsformXlsxSurvey } from './xlsform/survey.ts';

/** The result that an import makes of a file: a new survey, or responses of an existing one. */
export type ImportContent = 'survey' | 'responses';

/** The rules by which columns of a source's tables are planned. */
type TableSource = TitledTable | CodedTable;

interface Source {
  readonly survey: Readonly<Record<string, SurveyFileReader>>;
  readonly responses: Readonly<Record<string, ResponseFileReader>>;
  /** The rules by which columns of its tables of responses are planned; undefined if it has none. */
  readonly table?: TableSource;
}

/** All sources. To add one, make a folder beside this file and an entry here. */
const sources: Readonly<Record<string, Source>> = {
  custom: {
    survey: { json: readCustomJsonSurvey, csv: readCustomCsvSurvey, xlsx: readCustomCsvSurvey },
    responses: {
      json: readCustomJsonResponses,
      ndjson: readCustomNdjsonResponses,
      csv: readCustomCsvResponses,
      xlsx: readCustomCsvResponses,
    },
    table: CUSTOM_TABLE,
  },
  limesurvey: {
    survey: { lss: readLimesurveySurvey, lsa: readLimesurveySurvey, tsv: readLimesurveyTsvSurvey },
    responses: {
      csv: readLimesurveyCsvResponses,
      xlsx: readLimesurveyCsvResponses,
      json: readLimesurveyJsonResponses,
      lsa: readLimesurveyArchiveResponses,
    },
    table: LIMESURVEY,
  },
  qualtrics: {
    survey: { qsf: readQualtricsSurvey },
    responses: { csv: readQualtricsResponses, xlsx: readQualtricsResponses },
    table: QUALTRICS,
  },
  typeform: {
    survey: { json: readTypeformSurvey },
    responses: { json: readTypeformResponses, csv: readTypeformTable, xlsx: readTypeformTable },
    table: TYPEFORM_TABLE,
  },
  surveymonkey: {
    survey: { json: readSurveyMonkeySurvey },
    responses: { json: readSurveyMonkeyResponses, csv: readSurveyMonkeyTable, xlsx: readSurveyMonkeyTable },
    table: SURVEYMONKEY_TABLE,
  },
  microsoft_forms: {
    survey: { xlsx: readMicrosoftFormsSurvey, csv: readMicrosoftFormsSurvey },
    responses: { xlsx: readMicrosoftFormsResponses, csv: readMicrosoftFormsResponses },
    table: MICROSOFT_FORMS_TABLE,
  },
  google_forms: {
    survey: { json: readGoogleFormsSurvey, csv: readTableSurvey, xlsx: readTableSurvey },
    responses: { json: readGoogleFormsResponses, csv: readAnswerSheet, xlsx: readAnswerSheet },
    table: ANSWER_TABLE,
  },
  table: {
    survey: { csv: readTableSurvey, xlsx: readTableSurvey },
    responses: { csv: readAnswerTable, xlsx: readAnswerTable },
    table: ANSWER_TABLE,
  },
  formbricks: {
    survey: { json: readFormbricksSurvey },
    responses: { json: readFormbricksResponses },
  },
  surveyjs: {
    survey: { json: readSurveyjsSurvey },
    responses: { json: readSurveyjsResponses },
  },
  xlsform: {
    survey: { xlsx: readXlsformXlsxSurvey, csv: readXlsformCsvSurvey, json: readXlsformJsonSurvey },
    responses: {
      csv: readXlsformTableResponses,
      xlsx: readXlsformTableResponses,
      json: readXlsformJsonResponses,
    },
    table: XLSFORM,
  },
};

/** JSON formats. In a JSON request body, such a file is a JSON value; other formats are strings. */
export const jsonFormats: ReadonlySet<string> = new Set(['json', 'qsf']);

/** Binary formats, which cannot be in a JSON request body. */
export const binaryFormats: ReadonlySet<string> = new Set(['xlsx', 'lsa']);

interface SourceFormat {
  readonly source: string;
  readonly format: string;
}

/** Undefined if the source has no surveys in this format. */
export function findSurveyReader({ source, format }: SourceFormat): SurveyFileReader | undefined {
  return sources[source]?.survey[format];
}

/** Undefined if the source has no responses in this format. */
export function findResponseReader({ source, format }: SourceFormat): ResponseFileReader | undefined {
  return sources[source]?.responses[format];
}

/** The rules by which columns of a table of responses are planned. Sources without tables get any table of answers. */
export function tableSourceOf(source: string): TableSource {
  return sources[source]?.table ?? ANSWER_TABLE;
}

/** Formats of tables. */
const TABLE_FORMATS: ReadonlySet<string> = new Set(['csv', 'xlsx']);
/** Sources whose surveys are made of tables of answers. */
const ANSWER_SOURCES: ReadonlySet<string> = new Set(['table', 'google_forms', 'microsoft_forms']);

/** Whether an import reads a table whose columns the option `columns` can give targets. */
export function takesColumns({ source, format }: SourceFormat, content: ImportContent): boolean {
  return TABLE_FORMATS.has(format) && (content === 'responses' || ANSWER_SOURCES.has(source));
}

/** The formats that a source has for surveys or responses; empty for an unknown source. */
export function formatsOf(source: string, content: ImportContent): readonly string[] {
  return Object.keys(sources[source]?.[content] ?? {});
}
