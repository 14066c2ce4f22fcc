import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import type { LeaseDocument } from '@survey/runtime/mongo/lease';
import { poll } from '@survey/runtime/testing/poll';
import { createScripts } from '@survey/runtime/testing/processes/start-script';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ResponseDocument, responseIndexes } from '../responses/response-document-store.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from '../surveys/definition-store.ts';
import { newSnapshot } from '../testing/definition-process.ts';
import { newResponseDocument } from '../testing/new-response.ts';

const DAY_MS = 24 * 60 * 60_000;
const tenantId = toTenantId(randomUUID());

describe('the replicas of the service', () => {
  let database: TestDatabase;
  let responses: Collection<ResponseDocument>;
  const scripts = createScripts(new URL('../testing/retention-under-test.ts', import.meta.url).href);

  beforeAll(async () => {
    database = await createTestDatabase();
    responses = database.db.collection('responses');
    await ensureIndexes(database.db, { responses: [...responseIndexes, outboxIndex], definitions: definitionIndexes });
  });
  afterEach(() => scripts.killAll());
  afterAll(() => database.drop());

  async function addSurvey(count: number, days: number): Promise<void> {
    const snapshot = newSnapshot({ tenantId });
    const given = {
      tenant_id: tenantId,
      survey_id: snapshot.surveyId,
      created_at: new Date(Date.now() - days * DAY_MS),
    };
    const definitions = createDefinitionStore(database.db.collection<DefinitionDocument>('definitions'));
    await definitions.save(snapshot, new Date());
    await responses.insertMany(Array.from({ length: count }, () => newResponseDocument(given)));
  }

  function start() {
    const owner = randomUUID();
    const args = [inject('mongodbUri'), database.db.databaseName, tenantId, owner];
    return { owner, process: scripts.start('retention-under-test', ...args) };
  }

  it('delete 10,000 expired responses once each, although one replica is killed', async () => {
    for (let survey = 0; survey < 5; survey += 1) await addSurvey(2_000, 2);
    await addSurvey(500, 0.5);
    const replicas = [start(), start()];
    const deletedOnes = { survey_id: { $exists: false } };
    const deleted = () => responses.countDocuments(deletedOnes);
    await poll(async () => (await deleted()) > 0);
    const lease = await database.db.collection<LeaseDocument>('leases').findOne({ _id: 'retention' });
    replicas.find(({ owner }) => owner === lease?.owner)?.process.kill('SIGKILL');
    expect(await deleted()).toBeLessThan(10_000);
    await poll(async () => (await deleted()) === 10_000);
    const walks = database.db.collection('survey_walks');
    await poll(async () => (await walks.findOne())?.['completed_at'] instanceof Date);
    expect(await responses.countDocuments({ tenant_id: tenantId, survey_id: { $exists: true } })).toBe(500);
    const withEvent = { ...deletedOnes, 'outbox.0.type': 'response.deleted', outbox: { $size: 1 } };
    expect(await responses.countDocuments(withEvent)).toBe(10_000);
  });
});
