import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { DecryptionError } from '@survey/runtime/crypto/aes-gcm';
import { createPeriodicWorker } from '@survey/runtime/flow/loop';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { PLAINTEXT_EXTERNAL_IDS, type ResponseDocument } from '../responses/response-document-store.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';

interface Dependencies {
  readonly sealer: Pick<ResponseSealer, 'forTenant'>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  /** Age of the process from which it seals external ids. Milliseconds. */
  readonly afterMs?: number;
}

type Found = Pick<ResponseDocument, '_id' | 'tenant_id' | 'survey_id'> & { readonly external_id: string };

/** Processes of the previous release cannot read sealed external ids. They end during the upgrade. */
const AFTER_MS = 60 * 60_000;
const INTERVAL_MS = 60_000;
/** The pause between batches. It limits the work to some thousand responses a second. */
const PAUSE_MS = 100;
const BATCH = 500;
const READ = {
  hint: PLAINTEXT_EXTERNAL_IDS.name,
  limit: BATCH,
  projection: { tenant_id: 1, survey_id: 1, external_id: 1 },
  maxTimeMS: 10_000,
} as const;

/** Seals the external ids that earlier releases stored in plain text (ADR 0128). */
export function createExternalIdModule(
  { collection, lease: createLease, log, now }: Pick<ServiceRuntime, 'collection' | 'lease' | 'log' | 'now'>,
  { sealer, windows, afterMs = AFTER_MS }: Dependencies,
): ServiceModule {
  const responses = systemScope(collection<ResponseDocument>('responses'));
  const lease = createLease('sealing external ids');
  const startedAt = now();

  /**
   * Seals a batch. Returns whether more may be left.
   *
   * @param unreadable tenants that are left out, because their data keys cannot be read. Adds more of them
   */
  async function sealBatch(unreadable: Set<TenantId>): Promise<boolean> {
    const filter = {
      ...PLAINTEXT_EXTERNAL_IDS.partialFilterExpression,
      ...(unreadable.size > 0 && { tenant_id: { $nin: [...unreadable] } }),
    };
    const found = await responses.find<Found>(filter, READ).toArray();
    for (const [tenantId, ofTenant] of Map.groupBy(found, ({ tenant_id }) => tenant_id)) {
      try {
        await sealAll(tenantId, ofTenant);
      } catch (error) {
        if (!(error instanceof DecryptionError)) throw error;
        unreadable.add(tenantId);
        log.error({ err: error, tenant_id: tenantId }, 'cannot seal the external ids of a tenant');
      }
    }
    return found.length === BATCH;
  }

  /** Neither raises revisions nor sets `changed`, because replies stay the same. */
  async function sealAll(tenantId: TenantId, found: readonly Found[]): Promise<void> {
    const { sealExternalId } = await sealer.forTenant(tenantId);
    const writes = found.map(({ _id: id, survey_id: surveyId, external_id: text }) => ({
      updateOne: {
        // Repeat the values, because the response may have been deleted concurrently.
        filter: { _id: id, tenant_id: tenantId, survey_id: surveyId, external_id: text },
        update: { $set: { sealed_external_id: sealExternalId({ id, surveyId }, text) }, $unset: { external_id: '' } },
      } as const,
    }));
    const surveys = [...new Set(found.map(({ survey_id }) => survey_id))].map((surveyId) => ({ tenantId, surveyId }));
    await windows.runInWindow(surveys, () => responses.bulkWrite(writes, { ordered: false }));
  }

  return {
    stoppedFirst: [
      createPeriodicWorker({
        everyMs: INTERVAL_MS,
        failure: 'cannot seal external ids',
        lease,
        log,
        async work(isStopped) {
          if (now() - startedAt < afterMs) return;
          const unreadable = new Set<TenantId>();
          while ((await sealBatch(unreadable)) && !isStopped() && (await lease.acquire())) await sleep(PAUSE_MS);
        },
      }),
    ],
  };
}
