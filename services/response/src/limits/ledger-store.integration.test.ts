import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ResponseDocument, responseIndexes, toDocument } from '../responses/response-store.ts';
import { newApplicant, newSealed } from '../testing/applicants.ts';
import { createTestWindows } from '../testing/test-windows.ts';
import { createLedgerStore, type LedgerDocument, ledgerIndexes } from './ledger-store.ts';

let database: TestDatabase;
let responses: Collection<ResponseDocument>;
let ledgers: Collection<LedgerDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  responses = database.db.collection('responses');
  ledgers = database.db.collection('ledgers');
  await ensureIndexes(database.db, { responses: [...responseIndexes, outboxIndex], ledgers: ledgerIndexes });
});
afterAll(() => database.drop());

const newSurvey = () => ({ tenantId: toTenantId(randomUUID()), surveyId: randomUUID() });
type Survey = ReturnType<typeof newSurvey>;

const ofSurvey = (max: number) => [{ linkId: undefined, max }];
const applicantsTo = (survey: Survey, count: number, max: number) =>
  Array.from({ length: count }, () => newApplicant(newSealed(survey), ofSurvey(max)));

/** The store as a process has it. */
function startStore(into: Collection<ResponseDocument> = responses) {
  return createLedgerStore({
    ledgers,
    responses: into,
    windows: createTestWindows(database.db),
    random: Math.random,
    onEvent: () => {},
    clock: () => new Date(),
  });
}

/** The responses as a process finds them that is killed the moment it writes one. */
function killedOnWrite(): Collection<ResponseDocument> {
  return new Proxy(responses, {
    get(target, name) {
      if (name === 'insertMany' || name === 'updateOne') return () => Promise.reject(new Error('killed'));
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

const completedOf = ({ surveyId }: Survey) => responses.countDocuments({ survey_id: surveyId, status: 'completed' });

describe('a ledger', () => {
  it('lets as many in as there are places, whoever else does at the same time', async () => {
    const survey = newSurvey();
    const batches = Array.from({ length: 10 }, () => startStore().admit(survey, applicantsTo(survey, 10, 37)));
    const outcomes = (await Promise.all(batches)).flat();
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(37);
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(63);
    expect(await completedOf(survey)).toBe(37);
    expect(await ledgers.findOne({ _id: survey.surveyId })).toMatchObject({ admitted: [] });
  });

  it('is made once, however many come first', async () => {
    const surveys = Array.from({ length: 20 }, newSurvey);
    const admitted = surveys.map(async (survey) => {
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map(() => startStore().admit(survey, applicantsTo(survey, 1, 2))),
      );
      return outcomes.flat().filter((outcome) => outcome === 'stored').length;
    });
    expect(await Promise.all(admitted)).toEqual(surveys.map(() => 2));
  });

  it('keeps what it let in when the process is killed before it is stored, with its events', async () => {
    const survey = newSurvey();
    const left = applicantsTo(survey, 3, 5);
    await expect(startStore(killedOnWrite()).admit(survey, left)).rejects.toThrow('killed');
    expect(await completedOf(survey)).toBe(0);
    const outcomes = await startStore().admit(survey, applicantsTo(survey, 4, 5));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(2);
    expect(await completedOf(survey)).toBe(5);
    for (const { response, events } of left)
      expect(await responses.findOne({ _id: response.id })).toMatchObject({ outbox: [{ id: events[0]?.id }] });
    // Whoever asks again under the same id finds it.
    expect(await startStore().admit(survey, left.slice(0, 1))).toEqual(['duplicate']);
  });

  it('is settled by others when nobody comes any more', async () => {
    const survey = newSurvey();
    await expect(startStore(killedOnWrite()).admit(survey, applicantsTo(survey, 3, 5))).rejects.toThrow('killed');
    await startStore().settleSome(new Date(Date.now() - 60_000));
    expect(await completedOf(survey)).toBe(0);
    await startStore().settleSome(new Date(Date.now() + 1));
    expect(await completedOf(survey)).toBe(3);
    expect(await ledgers.countDocuments({ admitted_at: { $exists: true } })).toBe(0);
  });

  it('completes a response in progress once, also when the process is killed in between', async () => {
    const survey = newSurvey();
    const begun = newSealed(survey, { status: 'in_progress', completedAt: undefined });
    await responses.insertOne(toDocument(begun, [], '0'));
    const completed = newApplicant(newSealed(survey, { id: begun.id, revision: 2 }), ofSurvey(1));
    await expect(startStore(killedOnWrite()).admit(survey, [completed])).rejects.toThrow('killed');
    expect(await startStore().admit(survey, [completed])).toEqual(['outdated']);
    const stored = await responses.findOne({ _id: begun.id });
    expect(stored).toMatchObject({ status: 'completed', revision: 2 });
    expect(stored?.outbox).toHaveLength(1);
    expect(await startStore().admit(survey, applicantsTo(survey, 1, 1))).toEqual(ofSurvey(1));
  });

  it('completes a response once when many do so at the same time', async () => {
    const survey = newSurvey();
    const begun = newSealed(survey, { status: 'in_progress', completedAt: undefined });
    await responses.insertOne(toDocument(begun, [], '0'));
    const attempts = Array.from({ length: 8 }, (_, n) => {
      const completedAt = new Date(Date.UTC(2024, 5, 1) + n);
      return newApplicant(newSealed(survey, { id: begun.id, revision: 2, completedAt }), ofSurvey(5));
    });
    const outcomes = await Promise.all(attempts.map((one) => startStore().admit(survey, [one])));
    expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(await completedOf(survey)).toBe(1);
  });

  it('takes an id that another tenant has for taken, and a place that was given back for free', async () => {
    const [survey, other] = [newSurvey(), newSurvey()];
    const foreign = newSealed(other);
    await responses.insertOne(toDocument(foreign, [], '0'));
    const same = newApplicant(newSealed(survey, { id: foreign.id }), ofSurvey(1));
    expect(await startStore().admit(survey, [same])).toEqual(['duplicate']);
    const [first] = applicantsTo(survey, 1, 1);
    if (first === undefined) throw new Error('there is one');
    expect(await startStore().admit(survey, [first])).toEqual(['stored']);
    expect(await startStore().admit(survey, applicantsTo(survey, 1, 1))).toEqual(ofSurvey(1));
    await responses.deleteOne({ _id: first.response.id });
    expect(await startStore().admit(survey, applicantsTo(survey, 1, 1))).toEqual(['stored']);
  });
});

describe('processes that are killed while they let respondents in', () => {
  const LIMIT = 400;
  const started = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });

  it('lose no place and take none too many', async () => {
    const survey = newSurvey();
    const acknowledged = new Set<string>();
    const script = fileURLToPath(new URL('../testing/limited-submitter.ts', import.meta.url));
    const name = database.db.databaseName;
    const args = [script, inject('mongodbUri'), name, survey.tenantId, survey.surveyId, `${LIMIT}`];

    function start() {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      started.add(child);
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      let count = 0;
      child.stdout.on('data', (text: Buffer) => {
        const ids = text.toString().trim().split('\n');
        count += ids.length;
        for (const id of ids) acknowledged.add(id);
      });
      return { kill: () => child.kill('SIGKILL'), ended, count: () => count };
    }

    for (let round = 0; round < 3; round += 1) {
      const pair = [start(), start()];
      await poll(() => pair.every((one) => one.count() > 15), { timeoutMs: 20_000 });
      for (const { kill } of pair) kill();
      await Promise.all(pair.map(({ ended }) => ended));
    }
    const last = start();
    await last.ended;
    expect(await completedOf(survey)).toBe(LIMIT);
    const stored = await responses.find({ survey_id: survey.surveyId }, { projection: { _id: 1 } }).toArray();
    const ids = new Set(stored.map(({ _id }) => _id));
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
  });
});
