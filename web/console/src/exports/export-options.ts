import { type ExportResponsesRequest, limits } from '@survey/client';
import { isObject } from '@survey/questionnaire/json';
import type { ResponseFilter } from '../surveys/response-counts.ts';
import { type AllMembers, readChoice, readText, removeUndefined } from '../ui/search-values.ts';

export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson', 'json'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

const { display_language: languageLimits, not_shown: notShownLimits } = limits.ExportResponsesRequest;

/** Options of an export, as in the address of the page. */
export interface ExportOptions {
  readonly format: ExportFormat;
  /** Default: `ids`. */
  readonly labels?: 'texts';
  /** Language of texts and of the codebook. */
  readonly language?: string;
  /** Content of cells of questions that were not shown. Default: empty. */
  readonly not_shown?: string;
  /** Whether formulas stay as they are. Default: false. */
  readonly formulas?: boolean;
  /** Whether to export all responses, without the filters of the list. Default: false. */
  readonly all?: boolean;
}

/** Reads the options. Returns undefined without a format; other invalid values are dropped. */
export function readExportOptions(value: unknown): ExportOptions | undefined {
  if (!isObject(value)) return undefined;
  const format = readChoice(value.format, EXPORT_FORMATS);
  if (format === undefined) return undefined;
  return removeUndefined({
    format,
    labels: readChoice(value.labels, ['texts'] as const),
    language: readText(value.language, languageLimits.maxLength),
    not_shown: readText(value.not_shown, notShownLimits.maxLength),
    formulas: value.formulas === true ? true : undefined,
    all: value.all === true ? true : undefined,
  });
}

/** Whether the format is a table. Only tables have options for labels and cells. */
export function isTable({ format }: Pick<ExportOptions, 'format'>): boolean {
  return format === 'csv' || format === 'xlsx';
}

export function toExportQuery(options: ExportOptions, filter: ResponseFilter): ExportResponsesRequest {
  const { format, labels = 'ids', language, not_shown, formulas = false, all = false } = options;
  const hasCells = isTable(options);
  // Cells have texts if the labels are texts. A workbook also has texts in its codebook.
  const hasTexts = hasCells && (labels === 'texts' || format === 'xlsx');
  return removeUndefined<ResponseFilter & AllMembers<ExportResponsesRequest, keyof ResponseFilter>>({
    ...(all ? {} : filter),
    format,
    labels: hasCells ? labels : undefined,
    display_language: hasTexts ? language : undefined,
    not_shown: hasCells ? not_shown : undefined,
    mask_formulas: format === 'csv' ? !formulas : undefined,
  });
}
