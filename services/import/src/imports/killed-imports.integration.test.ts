import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { DETECT_ALL } from '@survey/formats/tables/table-options';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { processEnv } from '@survey/runtime/testing/processes/process-env';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDerivedIds } from '../reading/read-import.ts';
import { createStaging } from '../staging/staged-file.ts';
import { createStagedPieceStore, type StagedPieceDocument } from '../staging/staged-piece-store.ts';
import { startFakeServices } from '../testing/fake-services.ts';
import { NO_PROGRESS } from './import.ts';
import type { ImportDocument } from './import-document.ts';
import { defaultPolicy } from './import-mapper.ts';
import { createImportStore, importIndexes } from './import-store.ts';

const isAll = inject('testScope') === 'all';
const RESPONSES = isAll ? 6_000 : 2_000;
const KILLS = isAll ? 10 : 2;

let database: TestDatabase;
let keys: TestKeys;
let fakes: Awaited<ReturnType<typeof startFakeServices>>;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  database = await createTestDatabase();
  keys = await createTestKeys();
  fakes = await startFakeServices(keys);
});
afterEach(async () => {
  for (const child of children) await kill(child);
  await fakes.close();
  await keys.close();
  await database.drop();
});

async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await exited;
  children.delete(child);
}

/** Starts the service in its own process. */
function startProcess(keyring: string): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: processEnv({
      HOST: '127.0.0.1',
      HTTP_PORT: '0',
      GRPC_PORT: '0',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'silent',
      MONGODB_URI: inject('mongodbUri'),
      MONGODB_DATABASE: database.db.databaseName,
      KAFKA_BROKERS: inject('kafkaBrokers'),
      INTERNAL_KEY: JSON.stringify(keys.privateKeyOf('import')),
      INTERNAL_JWKS_FILE: keys.jwksFile,
      ENCRYPTION_KEYRING: keyring,
      SURVEY_GRPC_ADDRESS: fakes.surveyGrpcAddress,
      RESPONSE_GRPC_ADDRESS: fakes.responseGrpcAddress,
      KAFKA_TOPIC_PARTITIONS: '3',
      KAFKA_TOPIC_REPLICATION: '1',
      SETUP_ON_START: 'true',
    }),
  });
  children.add(child);
  return child;
}

async function* fileOf(count: number): AsyncGenerator<Uint8Array> {
  const survey = {
    title: 'Lunch',
    questions: [{ id: 'colour', type: 'single_choice', title: 'Colour?', options: [{ id: 'r', text: 'Red' }] }],
  };
  yield Buffer.from(`{"survey":${JSON.stringify(survey)},"responses":[`);
  for (let index = 0; index < count; index += 1) {
    const value = index % 10 === 3 ? 'Green' : 'Red';
    const item = { ...(index % 2 === 0 ? { id: `r-${index}` } : {}), answers: [{ question_id: 'colour', value }] };
    yield Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(item)}`);
  }
  yield Buffer.from(']}');
}

/** Stores an import that is due for any process. */
async function storeUnfinishedImport(keyring: string, preserveIds: boolean) {
  const tenantId = toTenantId(randomUUID());
  const [id, surveyId] = [randomUUID(), randomUUID()];
  const clock = () => new Date();
  const envelope = createEnvelope({
    collection: database.db.collection<DataKeyDocument>('data_keys'),
    keyring: async () => parseKeyring(keyring),
    clock,
  });
  const pieceStore = createStagedPieceStore({ collection: staged(), clock });
  const staging = createStaging({ envelope, store: pieceStore, newId: randomUUID });
  const { staged: file } = await staging.receive(tenantId, fileOf(RESPONSES), { alwaysStage: true });
  if (file === undefined) throw new Error('the file is not staged');
  await ensureIndexes(database.db, { imports: importIndexes });
  const store = createImportStore({ collection: imports(), onEvent: () => {} });
  const asked = { source: 'custom', format: 'json', surveyId, dryRun: false };
  const options = {
    ...asked,
    kind: 'survey' as const,
    location: '',
    origin: surveyId,
    requestedAt: undefined,
    title: '',
    language: 'en',
    preserveIds,
    validateLogic: true,
    importResponses: true,
    mayImportResponses: true,
    unmask: undefined,
    table: DETECT_ALL,
    answers: defaultPolicy('custom'),
    emitEvents: true,
  };
  const record = {
    ...asked,
    id,
    tenantId,
    actor: 'user-1',
    requestId: '',
    traceparent: '',
    status: 'running' as const,
    createdAt: new Date(),
    finishedAt: undefined,
    size: file.size,
    progress: NO_PROGRESS,
    questions: 0,
    report: undefined,
    deaths: 0,
    failingSince: undefined,
    cancelledBy: undefined,
    job: { options, file },
  };
  await store.beginJob(record, [], 100);
  return { id, tenantId, surveyId };
}

const imports = () => database.db.collection<ImportDocument>('imports');
const staged = () => database.db.collection<StagedPieceDocument>('staged_pieces');

describe('a job whose process is killed repeatedly', () => {
  it.each(isAll ? [true, false] : [false])('ends with exactly the right set, preserve_ids %s', async (preserveIds) => {
    const keyring = JSON.stringify({ active: 'k1', keys: { k1: randomBytes(32).toString('base64') } });
    const { id, tenantId, surveyId } = await storeUnfinishedImport(keyring, preserveIds);
    const stored = () => fakes.state.responses.size;
    const expected = RESPONSES * 0.9;
    for (let kills = 0; kills < KILLS; kills += 1) {
      const child = startProcess(keyring);
      const batches = fakes.state.batches.length + randomInt(1, 4);
      const isStoring = () => fakes.state.batches.length >= batches || stored() === expected;
      const isReading = async () => (await imports().findOne({ _id: id, 'job.spool': { $exists: true } })) !== null;
      // In turn while it reads the file or begins to continue, and while it stores responses.
      await poll(kills % 2 === 0 ? isReading : isStoring, { intervalMs: 1 });
      await kill(child);
      // Simulate an expired lease.
      await imports().updateOne({ _id: id, due_at: { $exists: true } }, { $set: { due_at: new Date(0) } });
    }
    // The file was read to its end, so nobody needs it any more.
    await staged().deleteMany({ _id: { $regex: /^[^.]+[.]\d+$/ } });
    startProcess(keyring);
    const ended = await poll(async () => imports().findOne({ _id: id, report: { $ne: null } }));
    expect(ended).toMatchObject({
      status: 'completed',
      tenant_id: tenantId,
      report: { total: RESPONSES, failed: RESPONSES / 10 },
    });
    const { imported = 0, skipped = 0 } = ended?.report ?? {};
    expect(imported + skipped).toBe(expected);
    // Exactly these responses, not only their number.
    const positions = Array.from({ length: RESPONSES }, (_, index) => index).filter((index) => index % 10 !== 3);
    const even = positions.filter((index) => index % 2 === 0).map((index) => `r-${index}`);
    const externalIds = [...fakes.state.responses.values()].flatMap(({ externalId }) => externalId ?? []);
    expect(externalIds.sort()).toEqual(even.sort());
    const ids = createDerivedIds(surveyId);
    const derived = positions.filter((index) => !preserveIds || index % 2 === 1).map(ids.responseAt);
    const keys = new Set(fakes.state.responses.keys());
    expect(derived.filter((derivedId) => !keys.has(`${surveyId} ${derivedId}`))).toEqual([]);
    expect(stored()).toBe(expected);
    await poll(async () => (await imports().findOne({ _id: id }))?.outbox.length === 0);
    const events = (await createTestKafka().readWhole(topics.import)).map(readEvent);
    expect(events.filter(({ data }) => data['id'] === id).map(({ type }) => type)).toEqual(['import.completed']);
    expect(fakes.state.surveys.size).toBe(1);
    await poll(async () => (await staged().countDocuments()) === 0);
    const errors = await database.db
      .collection<{ _id: string; errors: { index: number }[] }>('import_errors')
      .find()
      .toArray();
    const indexes = errors.flatMap((batch) => batch.errors.map(({ index }) => index)).sort((a, b) => a - b);
    expect(indexes).toEqual(Array.from({ length: RESPONSES / 10 }, (_, index) => index * 10 + 3));
  });
});
