import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import type { TenantLoad } from '@survey/runtime/telemetry/busiest-tenants';
import type { Collection } from 'mongodb';

/** The last report of a gateway. */
export interface TenantLoadDocument {
  /** Id of the gateway. */
  readonly _id: string;
  readonly loads: readonly TenantLoad[];
  readonly reported_at: Date;
}

/** Time for which a report counts. A gateway reports every minute. */
const REPORT_TTL_MS = 3 * 60_000;
/** Maximum number of gateways whose reports count. */
const MAX_REPORTS = 100;

export const tenantLoadIndexes: IndexSpecs[string] = [
  // Deletes the reports of stopped gateways.
  { name: 'reported', key: { reported_at: 1 }, expireAfterSeconds: REPORT_TTL_MS / 1_000 },
];

export interface TenantLoadStore {
  /** Replaces the report of a gateway. */
  save(reporter: string, loads: readonly TenantLoad[], now: Date): Promise<void>;
  /** The current reports, of the 100 gateways that reported last. */
  findReports(now: Date): Promise<readonly (readonly TenantLoad[])[]>;
}

export function createTenantLoadStore(reports: Collection<TenantLoadDocument>): TenantLoadStore {
  return {
    async save(reporter, loads, now) {
      await reports.replaceOne({ _id: reporter }, { loads, reported_at: now }, { upsert: true });
    },
    async findReports(now) {
      const found = await reports
        .find({ reported_at: { $gt: new Date(now.getTime() - REPORT_TTL_MS) } })
        .sort({ reported_at: -1 })
        .limit(MAX_REPORTS)
        .toArray();
      return found.map(({ loads }) => loads);
    },
  };
}
