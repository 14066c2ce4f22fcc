import { setTimeout as delay } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { ImportSchema } from '@survey/proto/survey/imports/v1/import_service_pb';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { API_PREFIX } from '@survey/runtime/rest/route';
import type { RawExchange } from '@survey/runtime/rpc/implementation';
import { toImportMessage } from '../imports/import-mapper.ts';
import type { ImportService } from '../imports/import-service.ts';
import { sendJson } from './send-json.ts';

interface Dependencies {
  readonly imports: Pick<ImportService, 'get'>;
}

const LOOK_EVERY_MS = 100;

export type JobReplies = ReturnType<typeof createJobReplies>;

/** Replies to calls whose file a job imports: with 200 when it ends while the caller waits, else with 202. */
export function createJobReplies({ imports }: Dependencies) {
  let isStopped = false;
  return {
    async send(
      exchange: Pick<RawExchange, 'response'>,
      context: HandlerContext,
      job: MessageInitShape<typeof ImportSchema>,
      { tenantId, waitMs }: { readonly tenantId: TenantId; readonly waitMs: number },
    ): Promise<void> {
      const { id = '' } = job;
      const until = Date.now() + waitMs;
      let message = job;
      let isOver = false;
      while (!isOver && Date.now() < until && !context.signal.aborted && !isStopped) {
        await delay(LOOK_EVERY_MS);
        // The job is accepted, even if its state cannot be read now.
        const item = await imports.get(tenantId, id).catch(() => undefined);
        if (item === undefined) break;
        message = toImportMessage(item);
        isOver = item.finishedAt !== undefined;
      }
      context.responseHeader.set('location', `${API_PREFIX}/imports/${id}`);
      if (waitMs > 0)
        context.responseHeader.set('preference-applied', isOver ? `wait=${waitMs / 1_000}` : 'respond-async');
      sendJson(exchange, context, { status: isOver ? 200 : 202, schema: ImportSchema, message });
    },

    /** Replies to waiting callers now. */
    async stop(): Promise<void> {
      isStopped = true;
    },
  };
}
