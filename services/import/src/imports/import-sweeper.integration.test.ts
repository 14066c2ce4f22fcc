import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Import } from './import.ts';
import { createImportStore, type ImportDocument, importIndexes } from './import-store.ts';
import { createImportSweeper } from './import-sweeper.ts';

const NOW = new Date('2026-01-02T12:00:00Z');
const LONG_AGO = new Date('2026-01-02T10:59:59Z');
const LATELY = new Date('2026-01-02T11:00:01Z');

let database: TestDatabase;
let sweeper: ReturnType<typeof createImportSweeper>;
let store: ReturnType<typeof createImportStore>;
let events: number;

beforeEach(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { imports: importIndexes });
  events = 0;
  store = createImportStore({
    collection: imports(),
    onEvent: () => {
      events += 1;
    },
  });
  sweeper = createImportSweeper({ store, clock: () => NOW, log: testLog });
});

afterEach(async () => {
  await sweeper.stop();
  await database.drop();
});

const imports = () => database.db.collection<ImportDocument>('imports');
const recordOf = (id: string) => imports().findOne({ _id: id });

async function begin(startedAt: Date): Promise<Import> {
  const [id, surveyId, tenantId] = [randomUUID(), randomUUID(), toTenantId(randomUUID())];
  const begun = { id, tenantId, surveyId, source: 'custom', format: 'json', startedAt, startedBy: 'user-1' };
  await store.begin(begun);
  return begun;
}

describe('the sweeper of imports', () => {
  it('ends those whose process was lost as failed, each for its tenant, and tells of it', async () => {
    const lost = [await begin(LONG_AGO), await begin(LONG_AGO)];
    sweeper.start();
    for (const { id, tenantId, surveyId } of lost) {
      await poll(async () => (await recordOf(id))?.status === 'failed');
      const record = await recordOf(id);
      expect(record).toMatchObject({ tenant_id: tenantId, survey_id: surveyId, started_at: LONG_AGO, ended_at: NOW });
      const report = { id, status: 'failed', total: 0, warnings: [{ path: '', code: 'INTERRUPTED' }] };
      expect(record?.report).toMatchObject(report);
      const told = record?.outbox.map(({ value }) => fromBinary(EventSchema, value.value()));
      expect(told).toMatchObject([
        { type: 'import.failed', tenantId, data: { id, status: 'failed' } },
        { type: 'audit.import.failed', tenantId, data: { resource_id: id, actor: 'user-1', request_id: '' } },
      ]);
    }
    expect(events).toBe(2);
  });

  it('leaves those alone that may still be running, and those that have ended', async () => {
    const [ended, running, lost] = [await begin(LONG_AGO), await begin(LATELY), await begin(LONG_AGO)];
    await imports().updateOne({ _id: ended.id }, { $set: { status: 'completed' } });
    sweeper.start();
    await poll(async () => (await recordOf(lost.id))?.status === 'failed');
    expect((await recordOf(running.id))?.status).toBe('running');
    expect(await recordOf(ended.id)).toMatchObject({ status: 'completed', outbox: [] });
  });

  it('looks for a hundred at a time, the oldest first, by an index of the running ones', async () => {
    const older = await begin(new Date(0));
    await Promise.all(Array.from({ length: 105 }, () => begin(LONG_AGO)));
    const found = await store.findRunning(NOW, 100);
    expect([found.length, found[0]?.id]).toEqual([100, older.id]);
    const plan = await imports()
      .find({ status: 'running', started_at: { $lt: NOW } })
      .sort({ started_at: 1 })
      .explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"running"');
  });

  it('ends an import once, whoever else does so at the same time', async () => {
    const { id } = await begin(LONG_AGO);
    const other = createImportSweeper({ store, clock: () => NOW, log: testLog });
    sweeper.start();
    other.start();
    await poll(async () => (await recordOf(id))?.status === 'failed');
    await Promise.all([sweeper.stop(), other.stop()]);
    expect((await recordOf(id))?.outbox).toHaveLength(2);
  });
});
