import { pipeline } from 'node:stream/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  GetFileRequestSchema,
  GetFileResponseSchema,
} from '@survey/proto/survey/responses/v1/response_service_pb';
import { markReplayed, readPublicIdempotencyKey } from '@survey/runtime/idempotency/idempotency-key';
import { beginStream } from '@survey/runtime/rest/pieces';
import { callOf, tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawExchange, RawHandler } from '@survey/runtime/rpc/implementation';
import { create as toContentDisposition } from 'content-disposition';
import type { RateLimits } from '../rates/rate-limits.ts';
import type { IdempotencyScope } from '../responses/response-sealer.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { FileReading } from './file-reading.ts';
import type { UploadService } from './upload-service.ts';

interface UploadRequest {
  readonly questionId: string;
  readonly filename?: string | undefined;
}

/** The target of an upload, whose access is already checked. The idempotency key is valid in `scope`. */
interface UploadTarget {
  readonly survey: CompiledSurvey;
  readonly scope: IdempotencyScope;
  /** Throws if survey or link is closed by now. */
  readonly recheck: () => Promise<unknown>;
}

export function createUploadHandler(
  uploads: UploadService,
  rateLimits: Pick<RateLimits, 'permitUpload' | 'runUpload'>,
) {
  return async (
    { questionId, filename }: UploadRequest,
    { survey, scope, recheck }: UploadTarget,
    context: HandlerContext,
    { request: { headers }, body }: RawExchange,
  ) => {
    const length = headers['content-length'];
    const declaredType = headers['content-type'];
    const { clientAddress } = callOf(context);
    const permit = rateLimits.permitUpload(clientAddress, scope.id);
    const upload = {
      survey,
      scope,
      questionId,
      filename,
      declaredType,
      length: length === undefined ? undefined : Number(length),
      idempotencyKey: readPublicIdempotencyKey(context),
      body,
      recheck,
    };
    const file = await rateLimits.runUpload(clientAddress, () => uploads.upload(upload));
    // A repeated upload stores nothing, so it does not count. A failed upload counts.
    if (file.origin === 'replayed') {
      permit.giveBack();
      markReplayed(context);
    }
    return {
      file: {
        fileId: file.id,
        contentType: file.contentType,
        size: file.size,
        expiresAt: timestampFromDate(file.expiresAt),
        ...(file.filename === undefined ? {} : { filename: file.filename }),
      },
    };
  };
}

/** Streams a file as an attachment. Respondents can upload anything, so browsers must not display or run it. */
export function createDownloadHandler(
  files: Pick<FileReading, 'open'>,
): RawHandler<typeof GetFileRequestSchema, typeof GetFileResponseSchema> {
  return async ({ fileId }, context, { request, response }) => {
    const file = await files.open(tenantCallOf(context).tenantId, fileId);
    // An error before the first chunk gets a regular error reply.
    const chunks = request.method === 'HEAD' ? [] : await beginStream(file.bytes);
    response.setHeader('content-type', file.contentType);
    response.setHeader('content-length', file.size);
    response.setHeader('content-disposition', toContentDisposition(file.filename ?? fileId));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
    await pipeline(chunks, response);
    // The reply is already written.
    return undefined;
  };
}
