import { TEXT_FORMATS } from '@survey/questionnaire/answers/text-formats';
import { BYTE_ORDER_MARK, type Cell, toCsvLine } from '@survey/questionnaire/columns/csv';
import { RESPONSE_COLUMNS } from '@survey/questionnaire/columns/response-columns';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Response, ResponseText } from '../responses/response.ts';
import { type ResponseFilter, withNearestLanguage } from '../responses/response-filter.ts';
import type { ResponseService } from '../responses/response-service.ts';
import type { ReadResponses, ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { readCodebook, writeCodebookCsv, writeCodebookJson } from './codebook.ts';
import { createResponseTable, type ResponseTable, type TableOptions, type ValueKind } from './response-table.ts';
import { writeXlsx, XLSX_TYPE } from './response-xlsx.ts';
import { MAX_SHEET_COLUMNS } from './xlsx/cell-xml.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered' | 'findPublishedVersions'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions'>;
  readonly count: ResponseService['count'];
  readonly read: ReadResponses<Response>;
  readonly readTexts: ReadResponses<ResponseText>;
}

export interface ExportQuery extends CsvOptions, Pick<TableOptions, 'labels' | 'displayLanguage' | 'notShown'> {
  readonly filter: ResponseFilter;
  readonly format: 'csv' | 'xlsx' | 'ndjson' | 'json';
}

export interface CodebookQuery extends CsvOptions, Pick<TableOptions, 'displayLanguage'> {
  readonly surveyId: string;
  readonly format: 'csv' | 'json';
}

export interface ExportFile {
  readonly contentType: string;
  readonly name: string;
  /** The content. Throws if reading fails. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
}

/** Minimum length of a piece, in characters. */
const PIECE = 64 * 1024;
/** Time after which a shorter piece is sent, while few of very many responses match. Milliseconds. */
const MAX_PIECE_MS = 10_000;
/** Time to count the responses of an export. Milliseconds. */
const COUNT_MS = 5_000;

export type ExportService = ReturnType<typeof createExportService>;

/** Exports the responses to surveys. Methods throw `SURVEY_NOT_FOUND` if the tenant has no such survey. */
export function createExportService({ definitions, store, count, read, readTexts }: Dependencies) {
  /** The versions of the columns: those with matching responses, and all published ones unless the filter names one. */
  async function versionsOf(tenantId: TenantId, survey: CompiledSurvey, filter: ResponseFilter) {
    const [answered, published] = await Promise.all([
      store.findVersions(tenantId, filter),
      definitions.findPublishedVersions(survey),
    ]);
    const { surveyVersion } = filter;
    const shown = surveyVersion === undefined ? published : published.filter((version) => version === surveyVersion);
    const versions = [...new Set([...answered, ...shown])].sort((one, other) => other - one);
    return {
      // A draft without responses has the columns of its current version.
      versions: versions.length === 0 ? [survey.version] : versions,
      findVersion: (version: number) => definitions.findAnswered(survey, version),
    };
  }

  async function openTable(tenantId: TenantId, survey: CompiledSurvey, query: ExportQuery): Promise<ExportFile> {
    const { filter, format } = query;
    const options = { ...query, ...(await versionsOf(tenantId, survey, filter)) };
    const responses = read(tenantId, filter);
    if (format === 'csv') return toFile(filter, createCsvFormat(await createResponseTable(options), query), responses);
    const maxColumns = MAX_SHEET_COLUMNS - RESPONSE_COLUMNS.length;
    const table = await createResponseTable({ ...options, maxColumns });
    const codebook = await readCodebook(options);
    return {
      contentType: XLSX_TYPE,
      name: nameOf(filter.surveyId, 'xlsx'),
      pieces: writeXlsx({ table, codebook, responses }),
    };
  }

  function openList(tenantId: TenantId, { filter, format }: ExportQuery): ExportFile {
    return toFile(filter, format === 'json' ? createJsonFormat() : ndjsonFormat, readTexts(tenantId, filter));
  }

  return {
    /**
     * Exports the responses to a survey, oldest first. Returns the file, and the number of responses when the export
     * starts; undefined if counting them takes too long.
     */
    async open(tenantId: TenantId, given: ExportQuery): Promise<ExportFile & { readonly total: number | undefined }> {
      const survey = await definitions.findOwned(tenantId, given.filter.surveyId);
      const query = { ...given, filter: withNearestLanguage(given.filter, survey) };
      const { filter, format } = query;
      const isTable = format === 'csv' || format === 'xlsx';
      const [total, file] = await Promise.all([
        count(tenantId, filter, COUNT_MS).catch(ignoreSlowCount),
        isTable ? openTable(tenantId, survey, query) : openList(tenantId, query),
      ]);
      return { ...file, total };
    },

    /** Describes the columns of an export of all responses to a survey. */
    async openCodebook(tenantId: TenantId, query: CodebookQuery): Promise<ExportFile> {
      const { surveyId, format, displayLanguage } = query;
      const survey = await definitions.findOwned(tenantId, surveyId);
      const codebook = await readCodebook({ ...(await versionsOf(tenantId, survey, { surveyId })), displayLanguage });
      return {
        contentType: format === 'csv' ? CSV_TYPE : 'application/json',
        name: `codebook-${surveyId}.${format}`,
        pieces: inPieces(format === 'csv' ? writeCodebookCsv(codebook, query) : writeCodebookJson(codebook)),
      };
    },
  };
}

function nameOf(surveyId: string, extension: string): string {
  return `responses-${surveyId}.${extension}`;
}

function toFile<R>(
  { surveyId }: ResponseFilter,
  format: ExportFormat<R>,
  responses: AsyncIterable<readonly R[]>,
): ExportFile {
  return {
    contentType: format.contentType,
    name: nameOf(surveyId, format.extension),
    pieces: inPieces(write(format, responses)),
  };
}

async function* write<R>(format: ExportFormat<R>, responses: AsyncIterable<readonly R[]>): AsyncGenerator<string> {
  yield format.begin();
  for await (const chunk of responses) yield await format.write(chunk);
  yield format.end();
}

/** An export needs no count, so a slow one, or too many, must not end it. */
function ignoreSlowCount(error: unknown): undefined {
  const codes: readonly string[] = ['DEADLINE_EXCEEDED', 'TOO_MANY_REQUESTS', 'OVERLOADED'];
  if (!(error instanceof AppError) || !codes.includes(error.code)) throw error;
}

/** Joins texts to pieces of a useful length. Texts can be empty. */
async function* inPieces(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  let sentAt = performance.now();
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE && performance.now() - sentAt < MAX_PIECE_MS) continue;
    yield piece;
    piece = '';
    sentAt = performance.now();
  }
  yield piece;
}

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export interface CsvOptions {
  /** Whether texts that could be formulas get an apostrophe. */
  readonly maskFormulas: boolean;
}

/** Writes a table of responses as CSV. */
export function createCsvFormat(table: ResponseTable, options: CsvOptions): ExportFormat<Response> {
  return {
    contentType: CSV_TYPE,
    extension: 'csv',
    begin: () => BYTE_ORDER_MARK + toCsvLine(table.header, options),
    async write(responses) {
      let text = '';
      for await (const cells of table.rowsOf(responses, toCell)) text += toCsvLine(cells, options);
      return text;
    },
    end: () => '',
  };
}

function toCell(text: string, kind: ValueKind): Cell {
  return kind === 'number' && TEXT_FORMATS.number(text) ? { digits: text } : text;
}

/** One response per line (https://github.com/ndjson/ndjson-spec). */
export const ndjsonFormat: ExportFormat<ResponseText> = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  begin: () => '',
  write: (responses) => responses.map((response) => `${toText(response)}\n`).join(''),
  end: () => '',
};

export function createJsonFormat(): ExportFormat<ResponseText> {
  let separator = '\n';
  return {
    contentType: 'application/json',
    extension: 'json',
    begin: () => '[',
    write(responses) {
      const lines = responses.map(toText).join(',\n');
      const text = lines === '' ? '' : separator + lines;
      if (lines !== '') separator = ',\n';
      return text;
    },
    end: () => '\n]\n',
  };
}

/**
 * Writes a response in the form of the API. Inserts answers as stored JSON text, which halves the time of an export.
 */
function toText(response: ResponseText): string {
  const { data, metadata } = response;
  const before = JSON.stringify({
    id: response.id,
    tenant_id: response.tenantId,
    survey_id: response.surveyId,
    status: response.status,
  });
  const after = JSON.stringify({
    created_at: response.createdAt,
    started_at: response.startedAt,
    completed_at: response.completedAt,
    survey_version: response.surveyVersion,
    external_id: response.externalId,
    updated_at: response.updatedAt,
    language: response.language,
    link_id: response.linkId,
    invitation_id: response.invitationId,
  });
  const members = metadata === undefined ? `"data":${data}` : `"data":${data},"metadata":${metadata}`;
  return `${before.slice(0, -1)},${members},${after.slice(1)}`;
}

/** Writes responses as a file: `begin`, then `write` for each chunk, then `end`. */
export interface ExportFormat<R> {
  readonly contentType: string;
  /** Extension of the filename, without a dot. */
  readonly extension: string;
  begin(): string;
  write(responses: readonly R[]): string | Promise<string>;
  end(): string;
}
