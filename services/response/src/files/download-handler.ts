import { pipeline } from 'node:stream/promises';
import type {
  GetFileRequestSchema,
  GetFileResponseSchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { beginStream } from '@survey/runtime/rest/begin-stream';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import { create as toContentDisposition } from 'content-disposition';
import type { DownloadService } from './download-service.ts';

/** Streams a file as an attachment. Respondents upload anything, so browsers must neither display nor run it. */
export function createDownloadHandler(
  downloads: DownloadService,
): RawHandler<typeof GetFileRequestSchema, typeof GetFileResponseSchema> {
  return async ({ fileId }, context, { request, response }) => {
    const file = await downloads.open(tenantCallOf(context).tenantId, fileId);
    // Errors before the first chunk get a regular error reply.
    const chunks = request.method === 'HEAD' ? [] : await beginStream(file.bytes);
    response.setHeader('content-type', file.contentType);
    response.setHeader('content-length', file.size);
    response.setHeader('content-disposition', toContentDisposition(file.filename ?? fileId));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
    await pipeline(chunks, response);
    return undefined;
  };
}
