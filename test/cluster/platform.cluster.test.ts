import { processNames, testChart } from '@survey/local/cluster/plan';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/answered-survey.ts';
import { lunchAnswers } from '../support/lunch-survey.ts';
import { withDatabase } from '../support/mongodb.ts';
import { createApi } from '../support/platform.ts';
import { countRpcs, countTaken } from '../support/response-replicas.ts';
import { install, rollBack } from './chart.ts';
import { run } from './commands.ts';
import { runEndToEnd } from './end-to-end.ts';
import { type MixedLoad, refusedShare, type Stage, startMixedLoad } from './mixed-load.ts';
import { evict, kill, listPods, type Pod, podsOf, restart, trialPodOf, untilReplaced } from './pods.ts';
import { measureUsage, printUsage, type Usage } from './usage.ts';

const MEASURE_MS = 40_000;
const GATEWAY_KILLED = 'gateway killed';
/** More than are under way: some of them were begun afterwards. */
const MORE = 100;
const LONGER_DRAIN_SECONDS = 12;
/** The share of requests that may be told to come again while pods are exchanged by those who have the time for it. */
const FEW = 0.02;
const PATIENCE = { timeoutMs: 180_000, everyMs: 500 };

const folder = inject('stackFolder');
let survey: AnsweredSurvey;
let load: MixedLoad;
let idle: ReadonlyMap<string, Usage>;

beforeAll(async () => {
  survey = await startAnsweredSurvey();
  await admin('tenant', 'limits', '--tenant', survey.tenant.tenantId, '--requests-per-minute', '1000000');
  idle = await measureUsage(MEASURE_MS);
  load = startMixedLoad(survey);
  await load.untilAcknowledged(MORE);
});
afterAll(async () => {
  await load?.stop();
  await survey?.close();
});

/** Does something while requests come in, and until they get through again. */
async function underLoad(what: string, work: () => Promise<unknown>): Promise<Stage> {
  const stage = load.begin(what);
  await work();
  await load.untilAcknowledged(MORE);
  return stage;
}

/** Whoever did not get an answer was told to come again. */
async function expectToGoOn(what: string, work: () => Promise<unknown>): Promise<void> {
  const { broken, failures } = await underLoad(what, work);
  expect([...failures, ...broken]).toEqual([]);
}

/** Hardly anybody was told to come again, either. */
async function expectToGoOnQuietly(what: string, work: () => Promise<unknown>): Promise<void> {
  const stage = await underLoad(what, work);
  expect([...stage.failures, ...stage.broken]).toEqual([]);
  expect(refusedShare(stage), JSON.stringify(stage.refused)).toBeLessThan(FEW);
}

const adminOf = ({ status }: Pod) => ({ admin: `http://${status.podIP}:9464` });
const countTakenBy = (pod: Pod) => countTaken(adminOf(pod));
/** Names of the indexes of a collection that a set-up job makes. */
const indexNames = async () =>
  (await withDatabase('survey-import', (db) => db.collection('imports').indexes())).map(({ name }) => name).sort();

describe('under fifty requests a second, of which none fails but by a 503 with Retry-After', () => {
  it('the pods take what is printed at the end', async () => {
    const busy = await measureUsage(MEASURE_MS);
    await printUsage(idle, busy);
    expect([...busy.values()].every(({ cpu, memory }) => cpu > 0 && memory > 0)).toBe(true);
  });

  it('the chart passes its own test', () => expectToGoOnQuietly('helm test', () => run(testChart())));

  it('the end-to-end tests pass through the Service of the gateway', () =>
    expectToGoOn('end-to-end tests', () => runEndToEnd(folder, inject('receiverHost'))));

  it('the response service goes from one pod to three, all of which take answers, back to one, and to two', () =>
    expectToGoOnQuietly('scaling', async () => {
      for (const responses of [3, 1, 2]) {
        await install(folder, { built: 'first', responses });
        for (const pod of await listPods(podsOf('response')))
          await poll(async () => (await countTakenBy(pod)) > 0, PATIENCE);
      }
    }));

  it.skipIf(!inject('podMetrics'))('the cluster adds pods to the response service by the CPU that one uses', () =>
    expectToGoOnQuietly('autoscaling', async () => {
      await install(folder, { built: 'first', responses: 'by CPU' });
      await poll(async () => {
        const taken = await Promise.all((await listPods(podsOf('response'))).map(countTakenBy));
        return taken.length > 1 && taken.every((count) => count > 0);
      }, PATIENCE);
    }),
  );

  it('calls by gRPC are shared by the pods that are called', async () => {
    const pods = await listPods(podsOf('identity'));
    expect(pods.length).toBeGreaterThan(1);
    for (const pod of pods) await poll(async () => (await countRpcs(adminOf(pod))) > 0, PATIENCE);
  });

  it('another version comes, with an index and a setting that the one before did not have', async () => {
    // What scales by CPU does not go back and forth with this.
    await install(folder, { built: 'first', responses: 2 });
    const indexes = await indexNames();
    await withDatabase('survey-import', (db) => db.collection('imports').dropIndexes());
    expect((await indexNames()).length).toBeLessThan(indexes.length);
    await expectToGoOnQuietly('upgrade', () =>
      install(folder, { built: 'second', responses: 2, drainSeconds: LONGER_DRAIN_SECONDS }),
    );
    expect(await indexNames()).toEqual(indexes);
  });

  it('the version before comes back', () => expectToGoOnQuietly('rollback', rollBack));

  it('every pod is evicted, as far as the budgets of disruption let go', () =>
    expectToGoOnQuietly('eviction', async () => {
      const pods = await listPods(podsOf());
      await untilReplaced(podsOf(), pods, async () => {
        for (const pod of pods) await evict(pod);
      });
    }));

  it.each(processNames.filter((part) => part !== 'gateway'))('a pod of %s is killed', (part) =>
    expectToGoOn(`${part} killed`, async () => {
      const [pod] = await listPods(podsOf(part));
      if (pod !== undefined) await untilReplaced(podsOf(part), [pod], () => kill(pod));
    }),
  );

  it('a pod of the gateway is killed: only connections to it break', async () => {
    const { failures } = await underLoad(GATEWAY_KILLED, async () => {
      const [pod] = await listPods(podsOf('gateway'));
      if (pod !== undefined) await untilReplaced(podsOf('gateway'), [pod], () => kill(pod));
    });
    expect(failures).toEqual([]);
  });

  it.each(['mongodb', 'kafka'] as const)('the pod of %s is restarted', (name) =>
    expectToGoOn(`${name} restarted`, async () => {
      const pods = await listPods(trialPodOf(name));
      await untilReplaced(trialPodOf(name), pods, async () => {
        for (const pod of pods) await restart(pod);
      });
    }),
  );
});

describe('afterwards', () => {
  it('what was acknowledged is stored, and nothing else, and has been delivered', async () => {
    await load.stop();
    console.table(
      load.stages.map(({ refused, broken, failures, ...stage }) => ({
        ...stage,
        refused: JSON.stringify(refused),
        broken: broken.length,
        failures: failures.length,
      })),
    );
    await survey.expectStored(load.acknowledged);
    await survey.untilDelivered(load.acknowledged);
    console.log(`${load.acknowledged.length} responses were acknowledged, stored and delivered`);
    expect(load.stages.flatMap(({ failures }) => failures)).toEqual([]);
    const lostWithTheGateway = ({ what }: Stage) => what === GATEWAY_KILLED;
    expect(load.stages.filter((stage) => !lostWithTheGateway(stage)).flatMap(({ broken }) => broken)).toEqual([]);
  });

  it('the parts may speak TLS with each other', async () => {
    await install(folder, { built: 'third', responses: 2, tls: true });
    await run(testChart());
    const { status, body } = await createApi()('POST', `/v1/public/surveys/${survey.surveyId}/responses`, {
      body: { status: 'completed', data: lunchAnswers },
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    await survey.untilDelivered([body.id]);
  });
});
