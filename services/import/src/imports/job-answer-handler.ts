import { setTimeout as delay } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { ImportSchema } from '@survey/proto/survey/imports/v1/import_service_pb';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { API_PREFIX } from '@survey/runtime/rest/route';
import type { RawExchange } from '@survey/runtime/rpc/implementation';
import { answerJson } from './answer-json.ts';
import { toImportMessage } from './import-mapper.ts';
import type { ImportService } from './import-service.ts';

interface Dependencies {
  readonly imports: Pick<ImportService, 'get'>;
  /** Aborted when the process stops: then calls are answered at once. */
  readonly shutdown: AbortSignal;
}

/** Of the state of a job that is waited for. */
const LOOK_EVERY_MS = 100;

/** Answers a call whose file is imported by a job: with 202, or 200 when it is over within the time that the caller waits. */
export function createJobAnswer({ imports, shutdown }: Dependencies) {
  return async (
    exchange: Pick<RawExchange, 'response'>,
    context: HandlerContext,
    job: MessageInitShape<typeof ImportSchema>,
    { tenantId, waitMs }: { readonly tenantId: TenantId; readonly waitMs: number },
  ): Promise<void> => {
    const { id = '' } = job;
    const until = Date.now() + waitMs;
    let message = job;
    let isOver = false;
    while (!isOver && Date.now() < until && !context.signal.aborted && !shutdown.aborted) {
      await delay(LOOK_EVERY_MS);
      // The job is accepted, whatever becomes of looking after it.
      const item = await imports.get(tenantId, id).catch(() => undefined);
      if (item === undefined) break;
      message = toImportMessage(item);
      isOver = item.finishedAt !== undefined;
    }
    context.responseHeader.set('location', `${API_PREFIX}/imports/${id}`);
    if (waitMs > 0)
      context.responseHeader.set('preference-applied', isOver ? `wait=${waitMs / 1_000}` : 'respond-async');
    answerJson(exchange, context, { status: isOver ? 200 : 202, schema: ImportSchema, message });
  };
}

export type AnswerJob = ReturnType<typeof createJobAnswer>;
