import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { markReplayed, readPublicIdempotencyKey } from '@survey/runtime/idempotency/idempotency-key';
import { callOf } from '@survey/runtime/rpc/call-context';
import type { RawExchange } from '@survey/runtime/rpc/implementation';
import type { Definition } from '../definitions/definition.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import type { KeyPlace } from '../responses/idempotency.ts';
import type { UploadService } from './upload-service.ts';

/** What a request says of the file in its body. */
interface UploadRequest {
  readonly questionId: string;
  readonly filename?: string | undefined;
}

/** Where a file goes, for somebody who was let in. */
interface Destination {
  readonly survey: Definition;
  readonly place: KeyPlace;
}

/** Stores the body of a request as a file. */
export function createUploadHandler(uploads: UploadService, rateLimits: Pick<RateLimits, 'upload' | 'uploading'>) {
  return async (
    { questionId, filename }: UploadRequest,
    { survey, place }: Destination,
    context: HandlerContext,
    { request: { headers }, body }: RawExchange,
  ) => {
    const length = headers['content-length'];
    const declared = headers['content-type'];
    const { clientAddress } = callOf(context);
    const leave = rateLimits.upload(clientAddress, place.id);
    const upload = {
      survey,
      place,
      questionId,
      filename,
      declared,
      length: length === undefined ? undefined : Number(length),
      idempotencyKey: readPublicIdempotencyKey(context),
      body,
    };
    const file = await rateLimits.uploading(clientAddress, () => uploads.upload(upload));
    if (file.origin === 'replayed') {
      leave.giveBack();
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
