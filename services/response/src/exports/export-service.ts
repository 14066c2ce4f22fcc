import { hash } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { questionsOf } from '@survey/questionnaire';
import { TEXT_FORMATS } from '@survey/questionnaire/answers/text-formats';
import { BYTE_ORDER_MARK, type Cell, toCsvLine } from '@survey/questionnaire/columns/csv';
import { RESPONSE_COLUMNS } from '@survey/questionnaire/columns/response-columns';
import {
  type ConditionsInput,
  canonicalForm,
  describeConditions,
  questionSources,
  responseSources,
  withoutNulls,
} from '@survey/questionnaire/conditions/condition-sources';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import {
  type ConditionService,
  type Conditions,
  selectResponses,
  type Tested,
} from '../responses/condition-service.ts';
import type { Response, ResponseText } from '../responses/response.ts';
import type { ResponseFilter, Selection } from '../responses/response-filter.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseService, SlowReads } from '../responses/response-service.ts';
import {
  createResponseStream,
  type ReadResponses,
  type ResponseStreamStore,
} from '../responses/response-stream-store.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import {
  CODEBOOK_COLUMNS,
  type CodebookEntry,
  codebookCellsOf,
  readCodebook,
  toConditionEntry,
  writeCodebookCsv,
  writeCodebookJson,
} from './codebook.ts';
import {
  createResponseTable,
  isNumber,
  type ResponseTable,
  type TableOptions,
  type ValueKind,
} from './response-table.ts';
import {
  MAX_SHEET_COLUMNS,
  type Sheet,
  type SheetCell,
  type ShortenedCell,
  toMoment,
  toTimeOfDay,
  writeWorkbook,
} from './workbook.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnsweredVersion' | 'findPublishedVersions'>;
  readonly stream: Pick<ResponseStreamStore, 'findVersions' | 'read'>;
  readonly responseService: Pick<ResponseService, 'count' | 'findLastCount'>;
  readonly conditions: ConditionService;
  readonly read: ReadResponses<Response>;
  readonly slowReads: Pick<SlowReads, 'limitExport'>;
  readonly sealer: Pick<ResponseSealer, 'openAsText'>;
  readonly clock: () => Date;
  /** Maximum time to count the responses of an export. Milliseconds. */
  readonly countMs?: number;
}

/** `notShown`: see `TableOptions`. */
export interface ExportQuery extends CsvOptions, Pick<TableOptions, 'labels' | 'displayLanguage' | 'notShown'> {
  readonly selection: Selection;
  readonly format: 'csv' | 'xlsx' | 'ndjson' | 'json';
}

export interface CodebookQuery extends CsvOptions, Pick<TableOptions, 'displayLanguage'> {
  readonly surveyId: string;
  /** The conditions of an export, which the codebook repeats. */
  readonly where?: JsonObject | undefined;
  readonly format: 'csv' | 'json';
}

export interface ExportFile {
  readonly contentType: string;
  readonly name: string;
  /** The content. Throws if reading fails. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
}

/** An export of responses. Its numbers are those at its start. Undefined if counting takes too long. */
export interface ResponseExport extends ExportFile {
  /** Number of responses in the file. With conditions, it is the last count, if there is one. */
  readonly total: number | undefined;
  /**
   * Responses that match the filter, and whose version lacks a question of the conditions. Undefined without conditions.
   */
  readonly lackingQuestion: number | undefined;
}

/** Minimum length of a piece, in characters. */
const PIECE = 64 * 1024;
/** Time after which a shorter piece is sent. This keeps the connection busy while few responses match. */
const MAX_PIECE_MS = 10_000;
const COUNT_MS = 5_000;

export type ExportService = ReturnType<typeof createExportService>;

/** Exports the responses to surveys. Methods throw `SURVEY_NOT_FOUND` if the tenant has no such survey. */
export function createExportService({
  definitions,
  stream,
  responseService,
  conditions: conditionService,
  read,
  slowReads,
  sealer,
  clock,
  countMs = COUNT_MS,
}: Dependencies) {
  /** Reads responses. Their answers and metadata stay JSON text. */
  const readAsText = createResponseStream({ read: stream.read, openAll: sealer.openAsText, clock });

  /**
   * Returns the survey versions whose questions become columns: versions with matching responses and published
   * versions. If the filter names a version, only that version.
   */
  async function versionsOf(tenantId: TenantId, survey: CompiledSurvey, filter: ResponseFilter) {
    const [answered, published] = await Promise.all([
      stream.findVersions(tenantId, filter),
      definitions.findPublishedVersions(survey),
    ]);
    const { surveyVersion } = filter;
    const shown = surveyVersion === undefined ? published : published.filter((version) => version === surveyVersion);
    const versions = [...new Set([...answered, ...shown])].sort((one, other) => other - one);
    return {
      // Without such a version, the table has the columns of the current version.
      versions: versions.length === 0 ? [survey.version] : versions,
      findVersion: (version: number) => definitions.findAnsweredVersion(survey, version),
      metadataFields: survey.settings.metadataFields,
    };
  }

  /** The version of a response decides, so nothing is decrypted. Begins no count after the signal. */
  async function countLacking(
    tenantId: TenantId,
    selection: Selection,
    { filter, conditions }: { readonly filter: ResponseFilter; readonly conditions: Conditions },
    signal: AbortSignal,
  ): Promise<number | undefined> {
    let lacking = 0;
    for (const surveyVersion of await stream.findVersions(tenantId, filter)) {
      if (signal.aborted) return undefined;
      if (!(await conditions.lacksQuestion(surveyVersion))) continue;
      const ofVersion = { ...selection, where: undefined, surveyVersion };
      const counted = await responseService.count(tenantId, ofVersion, countMs).catch(ignoreSlowCount);
      if (counted === undefined) return undefined;
      lacking += counted.count;
    }
    return lacking;
  }

  async function contentOf(
    tenantId: TenantId,
    survey: CompiledSurvey,
    filter: ResponseFilter,
    conditions: Conditions | undefined,
    query: ExportQuery,
    signal: AbortSignal,
  ): Promise<ExportFile['pieces']> {
    const { format } = query;
    function select<R>(chunks: AsyncIterable<readonly R[]>, toTested: (response: R) => Tested) {
      const selected = selectResponses(chunks, conditions, toTested, signal);
      return conditions === undefined ? selected : slowReads.limitExport(tenantId, selected, signal);
    }
    if (format === 'json' || format === 'ndjson') {
      const texts = select(readAsText(tenantId, filter), parseText);
      return inPieces(format === 'json' ? writeJson(texts) : writeNdjson(texts));
    }
    const options = { ...query, ...(await versionsOf(tenantId, survey, filter)) };
    const responses = select(read(tenantId, filter), (response) => response);
    if (format === 'csv') return inPieces(writeCsv(await createResponseTable(options), responses, query));
    const maxColumns = MAX_SHEET_COLUMNS - RESPONSE_COLUMNS.length - options.metadataFields.length - 1;
    const table = await createResponseTable({ ...options, maxColumns });
    const codebook = [...(await readCodebook(options)), ...describe(survey, query.selection.where, query)];
    return writeXlsx({ table, codebook, responses });
  }

  return {
    /**
     * Exports the responses to a survey, oldest first, until the signal aborts. With conditions, it does not count them,
     * because counting would decrypt all responses once more.
     */
    async open(tenantId: TenantId, given: ExportQuery, signal: AbortSignal): Promise<ResponseExport> {
      const { selection, format } = given;
      const survey = await definitions.findOwned(tenantId, selection.surveyId);
      const { filter, conditions } = await conditionService.resolve(survey, selection);
      const countSignal = AbortSignal.any([signal, AbortSignal.timeout(countMs)]);
      const [counted, lackingQuestion, pieces] = await Promise.all([
        conditions === undefined
          ? responseService.count(tenantId, selection, countMs).catch(ignoreSlowCount)
          : responseService.findLastCount(survey, filter, conditions),
        conditions &&
          withTimeLimit(
            countLacking(tenantId, selection, { filter, conditions }, countSignal),
            countMs,
            () => undefined,
          ),
        contentOf(tenantId, survey, filter, conditions, given, signal),
      ]);
      const total = counted?.count;
      const name = `responses-${filter.surveyId}${suffixOf(selection.where)}.${format}`;
      return { contentType: CONTENT_TYPES[format], name, pieces, total, lackingQuestion };
    },

    /** Describes the columns of an export of all responses to a survey, and the conditions of an export. */
    async openCodebook(tenantId: TenantId, query: CodebookQuery): Promise<ExportFile> {
      const { surveyId, format, displayLanguage, where } = query;
      const survey = await definitions.findOwned(tenantId, surveyId);
      await conditionService.resolve(survey, { surveyId, where });
      const columns = await readCodebook({ ...(await versionsOf(tenantId, survey, { surveyId })), displayLanguage });
      const codebook = [...columns, ...describe(survey, where, query)];
      return {
        contentType: CONTENT_TYPES[format],
        name: `codebook-${surveyId}${suffixOf(where)}.${format}`,
        pieces: inPieces(format === 'csv' ? writeCodebookCsv(codebook, query) : writeCodebookJson(codebook)),
      };
    },
  };
}

/** The part of the name of a file that tells exports with different conditions apart. */
function suffixOf(where: JsonObject | undefined): string {
  return where === undefined ? '' : `-${shortDigestOf(where)}`;
}

/** @param where valid conditions */
function shortDigestOf(where: JsonObject): string {
  return hash('sha256', canonicalForm(toInput(where)), 'hex').slice(0, 8);
}

/** The entry of a codebook for the conditions of an export, if it has some. */
function describe(
  { definition }: CompiledSurvey,
  where: JsonObject | undefined,
  { displayLanguage }: Pick<TableOptions, 'displayLanguage'>,
): readonly CodebookEntry[] {
  if (where === undefined) return [];
  const questions = questionsOf(definition, displayLanguage, { inactive: true });
  const text = describeConditions(withoutNulls(toInput(where)), [...questionSources(questions), ...responseSources()]);
  return [toConditionEntry(shortDigestOf(where), text)];
}

/** Conditions that are resolved are valid. */
function toInput(where: JsonObject): ConditionsInput {
  return where as unknown as ConditionsInput;
}

function parseText(response: ResponseText): Tested {
  const { data, metadata } = response;
  return {
    ...response,
    data: parseOwnObject(data),
    metadata: metadata === undefined ? undefined : parseOwnObject(metadata),
  };
}

/** An export goes on without its count if counting is slow, or rejected because too many counts run. */
function ignoreSlowCount(error: unknown): undefined {
  const codes: readonly string[] = ['DEADLINE_EXCEEDED', 'TOO_MANY_REQUESTS', 'OVERLOADED'];
  if (!(error instanceof AppError) || !codes.includes(error.code)) throw error;
}

/** Joins texts to pieces of a useful length. */
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

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  // https://github.com/ndjson/ndjson-spec
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const;

export interface CsvOptions {
  /** Whether texts that could be formulas get an apostrophe. */
  readonly maskFormulas: boolean;
}

// The writers yield a text for each chunk, even an empty text, so that `inPieces` can send a short piece in time.

export async function* writeCsv(
  table: ResponseTable,
  responses: AsyncIterable<readonly Response[]>,
  options: CsvOptions,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsvLine(table.header, options);
  for await (const chunk of responses) {
    let text = '';
    for await (const cells of table.rowsOf(chunk, toCell)) text += toCsvLine(cells, options);
    yield text;
  }
}

function toCell(text: string, kind: ValueKind): Cell {
  // `TEXT_FORMATS.number` also accepts numbers with more digits than JavaScript can represent.
  return kind === 'number' && TEXT_FORMATS.number(text) ? { digits: text } : text;
}

export async function* writeNdjson(responses: AsyncIterable<readonly ResponseText[]>): AsyncGenerator<string> {
  for await (const chunk of responses) yield chunk.map((response) => `${toText(response)}\n`).join('');
}

export async function* writeJson(responses: AsyncIterable<readonly ResponseText[]>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const chunk of responses) {
    const lines = chunk.map(toText).join(',\n');
    yield lines === '' ? '' : separator + lines;
    if (lines !== '') separator = ',\n';
  }
  yield '\n]\n';
}

/** Inserting answers as stored JSON text halves the time of an export. */
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

interface Content {
  readonly table: ResponseTable;
  readonly codebook: Iterable<CodebookEntry>;
  readonly responses: AsyncIterable<readonly Response[]>;
}

/** Maximum number of shortened cells that the workbook lists. */
const MAX_LISTED = 10_000;

/**
 * Writes a workbook with the sheets `Responses` and `Codebook`. Further sheets list shortened cells, and count metadata
 * that does not fit the type of its field, if there are any.
 */
function writeXlsx({ table, codebook, responses }: Content): AsyncGenerator<Uint8Array> {
  const shortened = { count: 0, listed: [] as ShortenedCell[] };

  function* sheets(): Generator<Sheet> {
    yield { name: 'Responses', header: table.header, rows: rowsOf(table, responses) };
    yield { name: 'Codebook', header: CODEBOOK_COLUMNS, rows: toRows(codebook, codebookCellsOf) };
    if (table.unfitValues.size > 0)
      yield { name: 'Warnings', header: ['column', 'warning', 'cells'], rows: toRows(table.unfitValues, toUnfitRow) };
    if (shortened.count === 0) return;
    yield { name: 'Shortened cells', header: ['sheet', 'cell', 'characters'], rows: shortenedRowsOf(shortened) };
  }

  return writeWorkbook(sheets(), {
    onShortened: (cell) => {
      shortened.count += 1;
      if (shortened.listed.length < MAX_LISTED) shortened.listed.push(cell);
    },
  });
}

function toUnfitRow([name, count]: readonly [string, number]): readonly SheetCell[] {
  return [`metadata.${name}`, 'values that do not fit the type of the field, written as texts', count];
}

async function* rowsOf(table: ResponseTable, responses: Content['responses']) {
  for await (const chunk of responses) yield* table.rowsOf(chunk, toSheetCell);
}

async function* toRows<T>(items: Iterable<T>, toCells: (item: T) => readonly SheetCell[]) {
  for (const item of items) yield toCells(item);
}

async function* shortenedRowsOf({
  count,
  listed,
}: {
  readonly count: number;
  readonly listed: readonly ShortenedCell[];
}) {
  for (const { sheet, cell, characters } of listed) yield [sheet, cell, characters];
  if (count > listed.length) yield [`and ${count - listed.length} more`, '', ''];
}

function toSheetCell(text: string, kind: ValueKind): SheetCell {
  if (text === '') return '';
  switch (kind) {
    case 'number':
      return isNumber(text) ? Number(text) : text;
    case 'flag':
      // `1` or `0`.
      return Number(text);
    case 'date':
    case 'timestamp':
      return toMoment(text, kind);
    case 'time':
      return toTimeOfDay(text);
    case undefined:
      return text;
  }
}
