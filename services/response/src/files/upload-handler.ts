import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { markReplayed, readPublicIdempotencyKey } from '@survey/runtime/idempotency/idempotency-key';
import { callOf } from '@survey/runtime/rpc/call-context';
import type { RawExchange } from '@survey/runtime/rpc/implementation';
import type { CompiledSurvey } from '../definitions/definition.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import type { KeyScope } from '../responses/idempotency.ts';
import type { UploadService } from './upload-service.ts';

interface UploadRequest {
  readonly questionId: string;
  readonly filename?: string | undefined;
}

/** Survey and scope of an upload. The access of the client is already checked. */
interface UploadTarget {
  readonly survey: CompiledSurvey;
  readonly scope: KeyScope;
  /** Checks again that the survey accepts responses. */
  readonly recheck: () => Promise<unknown>;
}

export function createUploadHandler(uploads: UploadService, rateLimits: Pick<RateLimits, 'upload' | 'runUpload'>) {
  return async (
    { questionId, filename }: UploadRequest,
    { survey, scope, recheck }: UploadTarget,
    context: HandlerContext,
    { request: { headers }, body }: RawExchange,
  ) => {
    const length = headers['content-length'];
    const declaredType = headers['content-type'];
    const { clientAddress } = callOf(context);
    const permit = rateLimits.upload(clientAddress, scope.id);
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
