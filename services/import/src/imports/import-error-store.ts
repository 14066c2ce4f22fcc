import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ReportedError } from './report.ts';

/** The rejected responses of one batch. */
export interface ImportErrorsDocument {
  /** See `batchId`. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly errors: readonly ReportedError[];
  readonly expires_at: Date;
}

export const importErrorIndexes: IndexSpecs[string] = [
  // For deleting all errors of a tenant.
  { name: 'tenant', key: { tenant_id: 1 } },
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
];

/** Errors stay as long as the record of their import: 90 days after its end. An import takes less than 10 days. */
const KEPT_MS = 100 * 24 * 60 * 60_000;

interface Dependencies {
  readonly collection: Collection<ImportErrorsDocument>;
  readonly clock: () => Date;
}

export type ImportErrorStore = ReturnType<typeof createImportErrorStore>;

/** Stores the rejected responses of imports, batch by batch. A report has only the first of them. */
export function createImportErrorStore({ collection, clock }: Dependencies) {
  const errorsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  async function* read(tenantId: TenantId, importId: string): AsyncGenerator<readonly ReportedError[]> {
    // No time limit, because the client may read slowly.
    const found = errorsOf(tenantId).find(idsFrom(importId, 0), { sort: { _id: 1 }, batchSize: 10, maxTimeMS: 0 });
    for await (const { errors } of found) yield errors;
  }

  return {
    /** Stores the errors of a batch. If the batch is sent again, its new errors replace them. */
    async keep(
      tenantId: TenantId,
      importId: string,
      position: number,
      errors: readonly ReportedError[],
    ): Promise<void> {
      const fields = { errors, expires_at: new Date(clock().getTime() + KEPT_MS) };
      await errorsOf(tenantId).updateOne({ _id: batchId(importId, position) }, { $set: fields }, { upsert: true });
    },

    /** Deletes the errors of all batches from a position on. After a crash, these batches are sent again. */
    async discardFrom(tenantId: TenantId, importId: string, position: number): Promise<void> {
      await errorsOf(tenantId).deleteMany(idsFrom(importId, position));
    },

    /** Streams errors in the order of the file, batch by batch. */
    read,

    async findFirst(tenantId: TenantId, importId: string, limit: number): Promise<readonly ReportedError[]> {
      const found: ReportedError[] = [];
      for await (const errors of read(tenantId, importId)) {
        found.push(...errors);
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },
  };
}

/** @param position of the first response of the batch, from 0 */
function batchId(importId: string, position: number): string {
  return `${importId}.${String(position).padStart(10, '0')}`;
}

/** Matches the batches of an import from a position on. `/` is the character after `.`, so it ends the range. */
function idsFrom(importId: string, position: number) {
  return { _id: { $gte: batchId(importId, position), $lt: `${importId}/` } };
}
