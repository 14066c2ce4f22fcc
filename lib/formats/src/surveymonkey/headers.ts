import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { titledTool } from '../core/columns/plan-titles.ts';
import { createTableReader } from '../core/columns/read-table.ts';
import type { ReadCell, ToolTable } from '../core/columns/tool-layout.ts';
import { dateOf, isDayFirst, timeOf } from './answers.ts';

/** Tables of individual responses of SurveyMonkey. */
export const SURVEYMONKEY: ToolTable = {
  words: new Map([
    ['respondentid', 'id'],
    ['collectorid', 'metadata.collector_id'],
    ['startdate', 'started_at'],
    ['enddate', 'submitted_at'],
    ['ipaddress', 'metadata.ip_address'],
    ['emailaddress', 'metadata.email_address'],
    ['firstname', 'metadata.first_name'],
    ['lastname', 'metadata.last_name'],
    ['customdata', 'metadata.custom_value'],
    ['customdata1', 'metadata.custom_value'],
  ]),
  hasPartRow: true,
  canNumberOptions: true,
  readerOf,
};

export const SURVEYMONKEY_TABLE = titledTool(SURVEYMONKEY);

/**
 * Reads a table of individual responses of SurveyMonkey. Choices are texts or numbers. There are two header rows, for
 * titles and options, or one for both. A multiple choice has a column for each option, or one for all of them.
 */
export const readSurveyMonkeyTable = createTableReader(SURVEYMONKEY_TABLE);

/**
 * Creates the cell reader of a date or time question. The survey keeps whether day or month comes first. A question for
 * date and time became two, which read the same cell. If the cell lacks a part, the question for it has no answer.
 */
function readerOf({ type, source_data: kept }: JsonObject): ReadCell | undefined {
  const { date_format: format, type: kind } = isObject(kept) ? kept : {};
  const unlessBoth = (cell: string) => (kind === 'datetime/both' ? '' : cell);
  if (type === 'date' && format !== undefined) return (cell) => dateOf(cell, isDayFirst(format)) ?? unlessBoth(cell);
  if (type === 'time') return (cell) => timeOf(cell) ?? unlessBoth(cell);
  return undefined;
}
