import { limits, type ResponseStatus } from '@survey/client';
import { type ExportOptions, readExportOptions } from '../exports/export-options.ts';
import type { ResponseFilter } from '../surveys/response-counts.ts';

export const RESPONSE_STATUSES = [
  'in_progress',
  'completed',
  'disqualified',
  'abandoned',
] as const satisfies readonly ResponseStatus[];

const TIMES = ['since', 'until', 'completed_since', 'completed_until', 'updated_since'] as const;

/** State of the list of responses, as in the address of the page. */
export interface ResponseSearch extends Omit<ResponseFilter, 'where'> {
  readonly order?: 'asc';
  /** Size of a random sample. Without it, all responses are listed. */
  readonly sample?: number;
  /** Changes with each draw, so that a new sample is loaded. It does not determine the sample. */
  readonly draw?: number;
  /** The chosen columns: keys of `RESPONSE_COLUMNS`, which start with a colon, and ids of questions. */
  readonly columns?: readonly string[];
  /** Options of the last export, so that it can be started again after the page was reloaded. */
  readonly exported?: ExportOptions;
}

/** Maximum number of columns of the table. */
export const MAX_COLUMNS = 50;
export const MAX_SAMPLE = 200;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_ID_LENGTH = 129;
const MAX_LANGUAGE_LENGTH = limits.ListResponsesRequest.language.maxLength;

/** Reads the state of the list. Invalid values are dropped: anybody can edit an address. */
export function readResponseSearch(search: Record<string, unknown>): ResponseSearch {
  const { link_id, language, version, sample, draw } = search;
  const exported = readExportOptions(search.exported);
  const status = RESPONSE_STATUSES.find((known) => known === search.status);
  const times = TIMES.flatMap((name) => {
    const time = readTime(search[name]);
    return time === undefined ? [] : [[name, time] as const];
  });
  const columns = Array.isArray(search.columns)
    ? [...new Set(search.columns.filter(isColumn))].slice(0, MAX_COLUMNS)
    : [];
  return {
    ...(status === undefined ? {} : { status }),
    ...(typeof link_id === 'string' && UUID.test(link_id) ? { link_id } : {}),
    ...(isLanguage(language) ? { language } : {}),
    ...(isPositiveInteger(version) ? { version } : {}),
    ...Object.fromEntries(times),
    ...(search.order === 'asc' ? { order: search.order } : {}),
    ...(isPositiveInteger(sample) && sample <= MAX_SAMPLE ? { sample } : {}),
    ...(isPositiveInteger(draw) ? { draw } : {}),
    ...(columns.length === 0 ? {} : { columns }),
    ...(exported === undefined ? {} : { exported }),
  };
}

/** State of the page of one response. */
export interface ResponsePageSearch {
  /** Language of the questions. Default: that of the response. */
  readonly language?: string;
}

export function readResponsePageSearch({ language }: Record<string, unknown>): ResponsePageSearch {
  return isLanguage(language) ? { language } : {};
}

/** The filters among the state of the list. */
export function toFilter(search: ResponseSearch): Omit<ResponseFilter, 'where'> {
  const { order, sample, draw, columns, exported, ...filter } = search;
  return filter;
}

function readTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? new Date(value) : new Date(Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function isLanguage(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LANGUAGE_LENGTH;
}

function isColumn(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH;
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
