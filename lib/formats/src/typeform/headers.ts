import type { JsonObject } from '@bufbuild/protobuf';
import { toOption } from '@survey/questionnaire/answers/option-list';
import { itemsOf } from '@survey/questionnaire/json';
import { titledTool } from '../core/columns/plan-titles.ts';
import { createTableReader } from '../core/columns/read-table.ts';
import type { ReadCell, ToolTable } from '../core/columns/tool-layout.ts';

/** Tables of responses of Typeform. */
export const TYPEFORM: ToolTable = {
  words: new Map([
    ['#', 'id'],
    ['token', 'id'],
    ['responsetype', 'status'],
    ['startdate(utc)', 'started_at'],
    ['submitdate(utc)', 'submitted_at'],
    ['stagedate(utc)', 'metadata.stage_date'],
    ['networkid', 'metadata.network_id'],
    ['tags', 'metadata.tags'],
    ['ending', 'metadata.ending'],
  ]),
  statuses: new Map([
    ['partial', 'in_progress'],
    ['started', 'in_progress'],
  ]),
  isMasked: true,
  readerOf,
};

/** Words of options that mean yes and no. */
const YES = /^(?:yes|true|i accept|accept|ja|oui|sí|si|sim|tak|да)$/i;
const NO = /^(?:no|false|i don't accept|decline|nein|non|não|nee|nie|нет)$/i;

export const TYPEFORM_TABLE = titledTool(TYPEFORM);

/**
 * Reads a table of responses of Typeform, with titles as headings. A multiple choice has a column for each choice, with
 * the choice as heading, and then a column `Other`.
 */
export const readTypeformTable = createTableReader(TYPEFORM_TABLE);

/** Reads the answers 1 and 0 to yes-or-no questions and legal terms; undefined for other questions. */
function readerOf({ type, options }: JsonObject): ReadCell | undefined {
  const list = type === 'single_choice' ? itemsOf(options).flatMap((item) => toOption(item) ?? []) : [];
  if (list.length !== 2) return undefined;
  const textOf = (word: RegExp) =>
    list.find(({ id, texts }) => [id, ...texts].some((text) => word.test(text)))?.texts[0];
  const [yes, no] = [textOf(YES), textOf(NO)];
  if (yes === undefined || no === undefined) return undefined;
  const texts = new Map([
    ['1', yes],
    ['true', yes],
    ['0', no],
    ['false', no],
  ]);
  return (cell) => texts.get(cell.trim().toLowerCase()) ?? cell;
}
