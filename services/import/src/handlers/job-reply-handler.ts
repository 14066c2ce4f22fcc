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

/** Preferences of a caller (RFC 7240). */
interface Preference {
  /** Whether the caller prefers a job (`respond-async`). */
  readonly isAsync: boolean;
  /** Time that the caller waits for the end of the job (`wait`), in milliseconds. */
  readonly waitMs: number;
}

const POLL_INTERVAL_MS = 100;
/** The timeout of the gateway is ten seconds longer. */
const MAX_WAIT_S = 25;

export type JobReplies = ReturnType<typeof createJobReplies>;

/** Replies to calls that started a job: 200 if the job ends while the caller waits, otherwise 202. */
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
      const until = performance.now() + waitMs;
      let message = job;
      let isOver = false;
      while (!isOver && performance.now() < until && !context.signal.aborted && !isStopped) {
        await delay(POLL_INTERVAL_MS);
        // If the state cannot be read, reply with the last known one: the job is accepted.
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

/** Reads the `Prefer` header. Unknown preferences are ignored, as the RFC requires. */
export function readPrefer({ requestHeader }: Pick<HandlerContext, 'requestHeader'>): Preference {
  const preferences = (requestHeader.get('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find((seconds) => seconds);
  return {
    isAsync: preferences.includes('respond-async'),
    waitMs: Math.min(MAX_WAIT_S, Number(wait ?? 0)) * 1_000,
  };
}
