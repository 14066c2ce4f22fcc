import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Import } from './import.ts';
import type { ImportStore } from './import-service.ts';
import type { RunningImports } from './import-sweeper.ts';
import type { Report } from './report.ts';

/** Ids, counts and reasons; nothing of the file's contents. */
export interface ImportDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly source: string;
  readonly format: string;
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

export const importIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1 } },
  // Holds only what is not over yet, so it stays small.
  { name: 'running', key: { started_at: 1 }, partialFilterExpression: { status: 'running' } },
];

export function createImportStore({ collection, onEvent }: Dependencies): ImportStore & RunningImports {
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

    async end({ id, tenantId }, report, time, events) {
      const end = { status: report.status, report, ended_at: time };
      const update = { $set: end, $push: { outbox: { $each: [...events] } } };
      await tenantCollection(collection, tenantId).updateOne({ _id: id, status: 'running' }, update);
      onEvent();
    },

    async findRunning(startedBefore, limit) {
      const filter = { status: 'running', started_at: { $lt: startedBefore } } as const;
      const documents = await systemScope(collection)
        .find(filter, { sort: { started_at: 1 }, limit })
        .toArray();
      return documents.map(fromDocument);
    },
  };
}

function fromDocument(document: ImportDocument): Import {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    surveyId: document.survey_id,
    source: document.source,
    format: document.format,
    startedAt: document.started_at,
    startedBy: document.started_by,
  };
}
