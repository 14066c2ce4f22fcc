import { poll } from '@survey/runtime/testing/poll';
import { testChart } from '@survey/tools/cluster/chart-commands';
import { NAMESPACE, processNames, RELEASE } from '@survey/tools/cluster/names';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/faults/answered-survey.ts';
import { withDatabase } from '../support/faults/mongodb.ts';
import { countRpcs, countTaken, sumSeries } from '../support/faults/response-replicas.ts';
import { lunchAnswers } from '../support/lunch-survey.ts';
import { createApi } from '../support/platform.ts';
import { backUpMongodb, restoreMongodb } from './backups.ts';
import { install, rollBack } from './chart.ts';
import { kubectl, run } from './commands.ts';
import { runEndToEnd } from './end-to-end.ts';
import { readGuide } from './guides/operations-guide.ts';
import { readRunbookCommands, runInAdminPod, runInRunbookShell } from './guides/runbook.ts';
import { type MixedLoad, rejectedShare, type Stage, startMixedLoad } from './mixed-load.ts';
import { evict, kill, listPods, type Pod, podsOf, restart, trialPodOf, untilReplaced } from './pods.ts';
import { installProduction, productionArguments } from './production.ts';
import { measureUsage, printUsage, saveUsage } from './usage/usage.ts';
import type { Usage } from './usage/usage-table.ts';

const MEASURE_MS = 40_000;
const GATEWAY_KILLED = 'gateway killed';
/** Acknowledged requests to wait for. More than are in flight, so some of them were sent after the event. */
const REQUESTS_AFTER = 100;
const LONGER_DRAIN_SECONDS = 12;
/** The allowed share of 503 replies during orderly replacements of pods. */
const MAX_REJECTED_SHARE = 0.02;
const POLL_OPTIONS = { timeoutMs: 180_000 };

const folder = inject('stackFolder');
let survey: AnsweredSurvey;
let load: MixedLoad;
let idle: ReadonlyMap<string, Usage>;

beforeAll(async () => {
  survey = await startAnsweredSurvey();
  await admin('tenant', 'limits', '--tenant', survey.tenant.tenantId, '--requests-per-minute', '1000000');
  idle = await measureUsage(MEASURE_MS);
  load = startMixedLoad(survey);
  await load.untilAcknowledged(REQUESTS_AFTER);
});
afterAll(async () => {
  await load?.stop();
  await survey?.close();
});

/** Runs `work` under load, and waits until requests succeed again. */
async function underLoad(activity: string, work: () => Promise<unknown>): Promise<Stage> {
  const stage = load.begin(activity);
  await work();
  await load.untilAcknowledged(REQUESTS_AFTER);
  return stage;
}

/** Expects only successes and 503 with Retry-After. */
async function expectNoFailures(activity: string, work: () => Promise<unknown>): Promise<void> {
  const { broken, failures } = await underLoad(activity, work);
  expect([...failures, ...broken]).toEqual([]);
}

/** Like `expectNoFailures`, with few 503 replies. */
async function expectFewRetries(activity: string, work: () => Promise<unknown>): Promise<void> {
  const stage = await underLoad(activity, work);
  expect([...stage.failures, ...stage.broken]).toEqual([]);
  expect(rejectedShare(stage), JSON.stringify(stage.rejected)).toBeLessThan(MAX_REJECTED_SHARE);
}

const runbookCommands = await readRunbookCommands();

const adminOf = ({ status }: Pod) => ({ admin: `http://${status.podIP}:9464` });
const countTakenBy = (pod: Pod) => countTaken(adminOf(pod));
/** The names of indexes that a set-up job creates. */
const indexNames = async () =>
  (await withDatabase('survey-import', (db) => db.collection('imports').indexes())).map(({ name }) => name).sort();

describe('under 50 requests per second, which only fail with 503 and Retry-After', () => {
  it('the usage of pods is printed at the end', async () => {
    const busy = await measureUsage(MEASURE_MS);
    await printUsage(idle, busy);
    await saveUsage(busy);
    expect([...busy.values()].every(({ cpu, memory }) => cpu > 0 && memory > 0)).toBe(true);
  });

  it('the chart passes its own test', () => expectFewRetries('helm test', () => run(testChart())));

  it.each(runbookCommands)('the runbook: %s', async (command) => {
    const [pod] = await listPods(podsOf('response'));
    await runInRunbookShell(command, pod?.metadata.name ?? '');
  });

  it('the doctor runs in a pod, and finds no problems', async () => {
    expect(await runInAdminPod('doctor')).toMatch(/^0 problems/m);
  });

  it.each([
    'tenant list',
    'dead-letters list --topic response.events',
    'offsets reset --to-datetime 2026-11-22T03:00:00Z',
  ])('an operator runs in a pod: admin %s', async (command) => {
    expect(JSON.parse(await runInAdminPod(command))).toBeTypeOf('object');
  });

  it('the end-to-end tests pass through the Service of the gateway', () =>
    expectNoFailures('end-to-end tests', () => runEndToEnd({ folder, receiverHost: inject('receiverHost') })));

  it('the response service scales to three pods, which all accept responses, to one and to two', () =>
    expectFewRetries('scaling', async () => {
      for (const responses of [3, 1, 2]) {
        await install(folder, { built: 'first', responses });
        for (const pod of await listPods(podsOf('response')))
          await poll(async () => (await countTakenBy(pod)) > 0, POLL_OPTIONS);
      }
    }));

  it.skipIf(!inject('podMetrics'))('the cluster scales the response service by CPU', () =>
    expectFewRetries('autoscaling', async () => {
      await install(folder, { built: 'first', responses: 'by CPU' });
      await poll(async () => {
        const taken = await Promise.all((await listPods(podsOf('response'))).map(countTakenBy));
        return taken.length > 1 && taken.every((count) => count > 0);
      }, POLL_OPTIONS);
    }),
  );

  it('gRPC calls are balanced over pods', async () => {
    const pods = await listPods(podsOf('identity'));
    expect(pods.length).toBeGreaterThan(1);
    for (const pod of pods) await poll(async () => (await countRpcs(adminOf(pod))) > 0, POLL_OPTIONS);
  });

  it('an upgrade adds an index and a setting', async () => {
    // Autoscaling must not interfere with the upgrade.
    await install(folder, { built: 'first', responses: 2 });
    const indexes = await indexNames();
    await withDatabase('survey-import', (db) => db.collection('imports').dropIndexes());
    expect((await indexNames()).length).toBeLessThan(indexes.length);
    await expectFewRetries('upgrade', () =>
      install(folder, { built: 'second', responses: 2, drainSeconds: LONGER_DRAIN_SECONDS }),
    );
    expect(await indexNames()).toEqual(indexes);
  });

  it('a rollback works', () => expectFewRetries('rollback', rollBack));

  it('every pod can be evicted within the disruption budgets', () =>
    expectFewRetries('eviction', async () => {
      const pods = await listPods(podsOf());
      await untilReplaced(podsOf(), pods, async () => {
        for (const pod of pods) await evict(pod);
      });
    }));

  it.each(processNames.filter((name) => name !== 'gateway'))('a pod of %s is killed', (name) =>
    expectNoFailures(`${name} killed`, async () => {
      const [pod] = await listPods(podsOf(name));
      if (pod !== undefined) await untilReplaced(podsOf(name), [pod], () => kill(pod));
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
    expectNoFailures(`${name} restarted`, async () => {
      const pods = await listPods(trialPodOf(name));
      await untilReplaced(trialPodOf(name), pods, async () => {
        for (const pod of pods) await restart(pod);
      });
    }),
  );
});

describe('afterwards', () => {
  /** The Service of the tests, which stays when the chart is installed anew. */
  const gateway = inject('stack').services['gateway']?.http;

  /** Submits a response, and waits for its webhook. Returns its id. */
  async function expectSubmit(): Promise<string> {
    const { status, body } = await createApi(undefined, gateway)(
      'POST',
      `/v1/public/surveys/${survey.surveyId}/responses`,
      {
        body: { status: 'completed', data: lunchAnswers },
      },
    );
    expect({ status, body }).toMatchObject({ status: 201 });
    await survey.untilDelivered([body.id]);
    return body.id;
  }

  it('exactly the acknowledged responses are stored and delivered', async () => {
    await load.stop();
    console.table(
      load.stages.map(({ rejected, broken, failures, ...stage }) => ({
        ...stage,
        rejected: JSON.stringify(rejected),
        broken: broken.length,
        failures: failures.length,
      })),
    );
    await survey.expectStored(load.acknowledged);
    await survey.untilDelivered(load.acknowledged);
    console.log(`${load.acknowledged.length} responses were acknowledged, stored and delivered`);
    expect(load.stages.flatMap(({ failures }) => failures)).toEqual([]);
    const lostWithTheGateway = ({ activity }: Stage) => activity === GATEWAY_KILLED;
    expect(load.stages.filter((stage) => !lostWithTheGateway(stage)).flatMap(({ broken }) => broken)).toEqual([]);
  });

  it('processes can use TLS between each other', async () => {
    await install(folder, { built: 'third', responses: 2, tls: true });
    await run(testChart());
    await expectSubmit();
  });

  it('the example for production works, with keys, users and certificates for each service', async () => {
    const token = await installProduction(folder);
    await run(testChart());
    await expectSubmit();
    const page = (headers: Record<string, string>) => fetch(`${inject('stack').gateway}/metrics`, { headers });
    expect((await page({})).status).toBe(401);
    expect((await page({ authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('partitions are added as the guide says', async () => {
    const [stop, ...others] = await readGuide('Add partitions', {
      folder,
      values: await productionArguments(folder),
    });
    await stop?.();
    for (const metric of ['outbox_pending_documents', 'kafka_consumer_lag'])
      await poll(async () => (await sumOverPods(metric)) === 0, POLL_OPTIONS);
    for (const step of others) await step();
    await untilGatewayIsReady();
    await expectSubmit();
  });

  it('a backup is restored as the guide says', async () => {
    const reader = { folder, values: await productionArguments(folder), time: toSeconds(new Date()) };
    const [, copyKeyrings] = await readGuide('Back up', reader);
    const [stop, ...others] = await readGuide('Restore', reader);
    const kept = await expectSubmit();
    await backUpMongodb();
    await copyKeyrings?.();
    const lost = await expectSubmit();
    await stop?.();
    await restoreMongodb();
    for (const step of others) await step();
    expect(await storedOf([kept, lost])).toEqual([kept]);
    await expectSubmit();
  });
});

const untilGatewayIsReady = () => kubectl(['rollout', 'status', `deployment/${RELEASE}-gateway`, '--timeout', '5m']);

/** The sum of the series of a metric over the pods of all processes. Throws if there are none. */
async function sumOverPods(metric: string): Promise<number> {
  const pages = (await listPods(podsOf())).map(({ metadata: { name } }) =>
    kubectl(['get', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods/${name}:9464/proxy/metrics`]),
  );
  const page = (await Promise.all(pages)).join('\n');
  if (!page.includes(`\n${metric}{`)) throw new Error(`no pod has the metric ${metric}`);
  return sumSeries(page, `${metric}{`);
}

/** The ids of these that the database has: the issuer of the tests is none of the example's. */
async function storedOf(ids: readonly string[]): Promise<readonly string[]> {
  const find = { _id: { $in: [...ids] } };
  const found = await withDatabase('survey-response', (db) =>
    db.collection<{ _id: string }>('responses').find(find).toArray(),
  );
  return found.map(({ _id }) => _id);
}

/** A time as RFC 3339 without a fraction. */
function toSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}
