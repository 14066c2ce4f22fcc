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
    // As long as who reads them takes.
    const found = of(tenantId).find(idsFrom(importId, 0), { sort: { _id: 1 }, batchSize: 10, maxTimeMS: 0 });
    for await (const { errors } of found) yield errors;
  }

  return {
    /** Keeps what was refused of a batch; a batch that is repeated has the last word. */
    async keep(tenantId: TenantId, importId: string, first: number, errors: readonly ReportedError[]): Promise<void> {
      const fields = { errors, expires_at: new Date(clock().getTime() + KEPT_MS) };
      await of(tenantId).updateOne({ _id: batchId(importId, first) }, { $set: fields }, { upsert: true });
    },

    /** Takes away what was refused from a position on: whoever kept it has died, and its batches are sent again. */
    async discardFrom(tenantId: TenantId, importId: string, first: number): Promise<void> {
      await of(tenantId).deleteMany(idsFrom(importId, first));
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

function batchId(importId: string, first: number): string {
  return `${importId}.${String(first).padStart(10, '0')}`;
}

/** Batches of an import from a position on: the slash comes after all of them. */
function idsFrom(importId: string, first: number) {
  return { _id: { $gte: batchId(importId, first), $lt: `${importId}/` } };
}
