import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseFilter } from '../responses/response-filter.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { ExportFormat } from './export-format.ts';
import { type CsvLabels, createCsvFormat } from './response-csv.ts';
import { createJsonFormat, ndjsonFormat } from './response-json.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions'>;
  readonly read: ReadResponses;
}

/** What to write. */
export interface ExportQuery {
  readonly filter: ResponseFilter;
  readonly format: 'csv' | 'ndjson' | 'json';
  readonly labels: CsvLabels;
}

/** A file in the making. */
export interface ExportFile {
  readonly contentType: string;
  readonly name: string;
  /** Its text, piece by piece. It throws where it breaks off. */
  readonly text: AsyncIterable<string>;
}

/** Written at once, in characters. */
const PIECE = 64 * 1024;
export type ExportService = ReturnType<typeof createExportService>;

export function createExportService({ definitions, store, read }: Dependencies) {
  async function createFormat(tenantId: TenantId, { filter, format, labels }: ExportQuery): Promise<ExportFormat> {
    const survey = await definitions.findOwned(tenantId, filter.surveyId);
    if (format === 'ndjson') return ndjsonFormat;
    if (format === 'json') return createJsonFormat();
    const found = await store.findVersions(tenantId, filter);
    return createCsvFormat({
      labels,
      // Without responses the table shows what they will look like.
      versions: found.length === 0 ? [survey.version] : found,
      findVersion: (version) => definitions.findAnswered(survey, version),
    });
  }

  async function* write(tenantId: TenantId, filter: ResponseFilter, format: ExportFormat): AsyncGenerator<string> {
    let piece = format.begin();
    for await (const responses of read(tenantId, filter)) {
      for await (const text of format.write(responses)) {
        piece += text;
        if (piece.length < PIECE) continue;
        yield piece;
        piece = '';
      }
    }
    yield piece + format.end();
  }

  return {
    /** The responses to a survey, oldest first. Throws `SURVEY_NOT_FOUND`. */
    async open(tenantId: TenantId, query: ExportQuery): Promise<ExportFile> {
      const { filter } = query;
      const format = await createFormat(tenantId, query);
      return {
        contentType: format.contentType,
        name: `responses-${filter.surveyId}.${format.extension}`,
        text: write(tenantId, filter, format),
      };
    },
  };
}
