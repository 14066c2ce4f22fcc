import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ReportedError } from './report.ts';

/** The refused responses of one batch. */
export interface ImportErrorsDocument {
  /** Of the import and the first index of the batch: see `batchId`. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly errors: readonly ReportedError[];
  readonly expires_at: Date;
}

export const importErrorIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1 } },
  { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
];

/** As long as the records of imports that are over, and the days that one may take at the most. */
const KEPT_MS = 100 * 24 * 60 * 60_000;

interface Dependencies {
  readonly collection: Collection<ImportErrorsDocument>;
  readonly clock: () => Date;
}

export type ImportErrorStore = ReturnType<typeof createImportErrorStore>;

export function createImportErrorStore({ collection, clock }: Dependencies) {
  const of = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  async function* read(tenantId: TenantId, importId: string): AsyncGenerator<readonly ReportedError[]> {
    const filter = { _id: { $gte: batchId(importId, 0), $lt: `${importId}/` } };
    // As long as who reads them takes.
    const found = of(tenantId).find(filter, { sort: { _id: 1 }, batchSize: 10, maxTimeMS: 0 });
    for await (const { errors } of found) yield errors;
  }

  return {
    /** Keeps what was refused of a batch; a batch that is repeated has the last word. */
    async keep(tenantId: TenantId, importId: string, first: number, errors: readonly ReportedError[]): Promise<void> {
      const fields = { errors, expires_at: new Date(clock().getTime() + KEPT_MS) };
      await of(tenantId).updateOne({ _id: batchId(importId, first) }, { $set: fields }, { upsert: true });
    },

    /** What was refused, in the order of the file, batch by batch. */
    read,

    async first(tenantId: TenantId, importId: string, limit: number): Promise<readonly ReportedError[]> {
      const found: ReportedError[] = [];
      for await (const errors of read(tenantId, importId)) {
        found.push(...errors);
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },
  };
}

/** The slash comes after all of them. */
function batchId(importId: string, first: number): string {
  return `${importId}.${String(first).padStart(10, '0')}`;
}
