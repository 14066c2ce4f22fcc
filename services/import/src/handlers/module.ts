import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ImportService } from '../imports/import-service.ts';
import type { Staging } from '../staging/staged-file.ts';
import { createImportHandler } from './import-handler.ts';
import { createImportReceiver } from './import-request.ts';
import { createJobReplies } from './job-reply-handler.ts';

interface Dependencies {
  readonly imports: ImportService;
  readonly staging: Staging;
  readonly idempotency: Idempotency;
  readonly checkMessage: MessageCheck;
  readonly importMaxBytes: number;
}

/** Maximum size of the body of a plan request. */
const MAX_PLAN_BYTES = 1024 * 1024;

/** Creates the handlers of import operations. */
export function createHandlerModule({ now }: ServiceRuntime, needs: Dependencies): ServiceModule {
  const receive = createImportReceiver({ staging: needs.staging, now, maxBytes: needs.importMaxBytes });
  // Files of this size stay in memory, so a plan stores nothing.
  const receivePlan = createImportReceiver({ staging: needs.staging, now, maxBytes: MAX_PLAN_BYTES });
  const jobReplies = createJobReplies(needs);
  return { handlers: [createImportHandler({ ...needs, receive, receivePlan, jobReplies })], pollers: [jobReplies] };
}
