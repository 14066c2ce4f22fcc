import { pipeline } from 'node:stream/promises';
import type {
  ExportResponsesRequest,
  ExportResponsesRequestSchema,
  ExportResponsesResponseSchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { beginStream } from '@survey/runtime/rest/begin-stream';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import { fromFilterMessage } from '../responses/response-filter-mapper.ts';
import type { ExportQuery, ExportService } from './export-service.ts';

/** Streams the responses of a survey as a file, with backpressure. */
export function createExportHandler(
  exports: ExportService,
): RawHandler<typeof ExportResponsesRequestSchema, typeof ExportResponsesResponseSchema> {
  return async (message, context, { request, response }) => {
    const file = await exports.open(tenantCallOf(context).tenantId, fromExportMessage(message));
    const isHead = request.method === 'HEAD';
    // Errors before the first piece get a regular error reply.
    const pieces = isHead ? [] : await beginStream(file.text);
    response.setHeader('content-type', file.contentType);
    response.setHeader('content-disposition', `attachment; filename="${file.name}"`);
    await pipeline(pieces, response);
    return undefined;
  };
}

function fromExportMessage(message: ExportResponsesRequest): ExportQuery {
  const { format, labels } = message;
  return {
    filter: fromFilterMessage(message),
    format: format === 'ndjson' || format === 'json' ? format : 'csv',
    labels: labels === 'texts' ? 'texts' : 'ids',
  };
}
