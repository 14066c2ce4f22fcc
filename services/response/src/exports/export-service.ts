import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { Response, ResponseText } from '../responses/response.ts';
import type { ResponseFilter } from '../responses/response-filter.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { ExportFormat } from './export-format.ts';
import { type CsvLabels, createCsvFormat } from './response-csv.ts';
import { createJsonFormat, ndjsonFormat } from './response-json.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions'>;
  readonly read: ReadResponses<Response>;
  readonly readTexts: ReadResponses<ResponseText>;
}

export interface ExportQuery {
  readonly filter: ResponseFilter;
  readonly format: 'csv' | 'ndjson' | 'json';
  readonly labels: CsvLabels;
}

interface ExportFile {
  readonly contentType: string;
  readonly name: string;
  /** The content in pieces. Throws if reading fails. */
  readonly text: AsyncIterable<string>;
}

/** Minimum length of a piece, in characters. */
const PIECE = 64 * 1024;

export type ExportService = ReturnType<typeof createExportService>;

export function createExportService({ definitions, store, read, readTexts }: Dependencies) {
  async function createCsv(tenantId: TenantId, survey: Definition, { filter, labels }: ExportQuery) {
    const found = await store.findVersions(tenantId, filter);
    return createCsvFormat({
      labels,
      // Without responses, the header shows the columns of the current version.
      versions: found.length === 0 ? [survey.version] : found,
      findVersion: (version) => definitions.findAnswered(survey, version),
    });
  }

  return {
    /** Exports the responses to a survey, oldest first. Throws `SURVEY_NOT_FOUND`. */
    async open(tenantId: TenantId, query: ExportQuery): Promise<ExportFile> {
      const { filter, format } = query;
      const survey = await definitions.findOwned(tenantId, filter.surveyId);
      if (format === 'csv') return toFile(filter, await createCsv(tenantId, survey, query), read(tenantId, filter));
      return toFile(filter, format === 'json' ? createJsonFormat() : ndjsonFormat, readTexts(tenantId, filter));
    },
  };
}

function toFile<R>(
  { surveyId }: ResponseFilter,
  format: ExportFormat<R>,
  responses: AsyncIterable<readonly R[]>,
): ExportFile {
  return {
    contentType: format.contentType,
    name: `responses-${surveyId}.${format.extension}`,
    text: write(format, responses),
  };
}

async function* write<R>(format: ExportFormat<R>, responses: AsyncIterable<readonly R[]>): AsyncGenerator<string> {
  let text = format.begin();
  for await (const chunk of responses) {
    text += await format.write(chunk);
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text + format.end();
}
