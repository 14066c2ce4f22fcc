import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type {
  ExportCodebookRequestSchema,
  ExportCodebookResponseSchema,
  ExportResponsesRequest,
  ExportResponsesRequestSchema,
  ExportResponsesResponseSchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { beginStream } from '@survey/runtime/rest/pieces';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import { fromSelectionMessage, LACKING_QUESTION } from '../response-mapper.ts';
import type { ExportFile, ExportQuery, ExportService } from './export-service.ts';

/** Streams the responses of a survey as a file, with backpressure. */
export function createExportHandler(
  exports: ExportService,
): RawHandler<typeof ExportResponsesRequestSchema, typeof ExportResponsesResponseSchema> {
  return async (message, context, { request, response }) => {
    const { total, lackingQuestion, ...file } = await exports.open(
      tenantCallOf(context).tenantId,
      fromExportMessage(message),
      context.signal,
    );
    const headers = { 'x-total-count': total, [LACKING_QUESTION]: lackingQuestion };
    await send(file, response, { isHead: request.method === 'HEAD', headers });
    return undefined;
  };
}

export function createCodebookHandler(
  exports: ExportService,
): RawHandler<typeof ExportCodebookRequestSchema, typeof ExportCodebookResponseSchema> {
  return async (message, context, { request, response }) => {
    const { surveyId, format, displayLanguage, maskFormulas = true, where } = message;
    const file = await exports.openCodebook(tenantCallOf(context).tenantId, {
      surveyId,
      format: format === 'json' ? 'json' : 'csv',
      displayLanguage,
      maskFormulas,
      where,
    });
    await send(file, response, { isHead: request.method === 'HEAD' });
    return undefined;
  };
}

interface SendOptions {
  readonly isHead: boolean;
  readonly headers?: Readonly<Record<string, number | undefined>>;
}

async function send(file: ExportFile, response: ServerResponse, { isHead, headers = {} }: SendOptions): Promise<void> {
  // An error before the first piece gets a regular error reply.
  const pieces = isHead ? [] : await beginStream(file.pieces);
  response.setHeader('content-type', file.contentType);
  response.setHeader('content-disposition', `attachment; filename="${file.name}"`);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  // An empty first piece would send no headers, and the client would wait.
  if (!isHead) response.flushHeaders();
  await pipeline(pieces, response);
}

const formats = ['csv', 'xlsx', 'ndjson', 'json'] as const;

function fromExportMessage(message: ExportResponsesRequest): ExportQuery {
  // The contract allows only known formats and labels, and has these defaults.
  const { format, labels, displayLanguage, notShown, maskFormulas = true } = message;
  return {
    selection: fromSelectionMessage(message),
    format: formats.find((known) => known === format) ?? 'csv',
    labels: labels === 'texts' ? 'texts' : 'ids',
    displayLanguage,
    notShown,
    maskFormulas,
  };
}
