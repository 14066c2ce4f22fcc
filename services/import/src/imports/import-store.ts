import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ImportStore } from './import-service.ts';
import type { Report } from './report.ts';

/** Ids, counts and reasons; nothing of the file's contents. */
export interface ImportDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly source: string;
  readonly format: string;
  /** `running` for ever means that the process went away meanwhile. */
  readonly status: 'running' | Report['status'];
  readonly report: Report | null;
  readonly started_at: Date;
  readonly started_by: string;
  readonly ended_at: Date | null;
  readonly outbox: readonly OutboxEvent[];
}

interface Dependencies {
  readonly collection: Collection<ImportDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createImportStore({ collection, onEvent }: Dependencies): ImportStore {
  return {
    async begin({ id, tenantId, surveyId, source, format, startedAt, startedBy }) {
      await tenantCollection(collection, tenantId).insertOne({
        _id: id,
        survey_id: surveyId,
        source,
        format,
        status: 'running',
        report: null,
        started_at: startedAt,
        started_by: startedBy,
        ended_at: null,
        outbox: [],
      });
    },

    async end({ id, tenantId }, report, time, event) {
      const end = { status: report.status, report, ended_at: time };
      const update = { $set: end, $push: { outbox: event } };
      await tenantCollection(collection, tenantId).updateOne({ _id: id }, update);
      onEvent();
    },
  };
}
