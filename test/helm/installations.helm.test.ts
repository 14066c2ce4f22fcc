import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath } from '@survey/local/process/find-on-path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubernetesObject } from './chart.ts';
import { needChartTools, runProgram } from './tools.ts';

const tools = needChartTools();
const promtool = findOnPath('promtool', process.env);
if (promtool === undefined) console.warn('no promtool on the PATH: alerts of two installations are not tested');

const JOBS = ['gateway', 'identity', 'survey', 'response', 'webhook', 'import'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-rules-'));
  for (const namespace of ['prod', 'staging']) {
    const args = ['template', 'survey', 'helm', '--namespace', namespace, '--set', 'prometheusRule.enabled=true'];
    const { code, output, errors } = await runProgram(tools.helm, args);
    if (code !== 0) throw new Error(errors);
    const objects = parseAllDocuments(output).map((document) => document.toJS() as KubernetesObject | null);
    const rule = objects.find((object) => object?.kind === 'PrometheusRule');
    await writeFile(join(folder, `${namespace}.yaml`), stringify(rule?.['spec']));
  }
});
afterAll(() => rm(folder, { recursive: true }));

type Labels = Readonly<Record<string, string>>;
/** The labels and the values of a series, in promtool's notation. */
type Input = readonly [labels: Labels, values: string];

const format = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');
const series = (name: string, inputs: readonly Input[]) =>
  inputs.map(([labels, values]) => ({ series: `${name}{${format(labels)}}`, values }));

const prod = { namespace: 'prod', release: 'survey' };
const staging = { namespace: 'staging', release: 'survey' };
/** Processes of an installation, all of which can be scraped. */
const healthy = (installation: Labels): readonly Input[] => JOBS.map((job) => [{ ...installation, job }, '1x120']);
/** Requests to an application: succeeding and failing ones per minute. */
const requests = (labels: Labels, good: number, bad: number) => [
  ...series('slo_requests_total', [[{ ...labels, slo: 'api-answers' }, `0+${good + bad}x120`]]),
  ...series('slo_errors_total', [[{ ...labels, slo: 'api-answers' }, `0+${bad}x120`]]),
];
/** Another application in the namespace of prod, and the exporter of a node that also runs it. */
const neighbour = { namespace: 'prod', release: 'shop', job: 'shop' };
const exporter = { namespace: 'monitoring', release: 'survey', job: 'node-exporter' };

/** The alerts that fire after 100 minutes, except the watchdogs, as `name namespace job`. */
async function findFiring(input: readonly unknown[], expected: readonly Labels[]): Promise<string> {
  const test = {
    rule_files: ['prod.yaml', 'staging.yaml'],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: input,
        promql_expr_test: [
          {
            expr: 'sum by (alertname, namespace, release, job) (ALERTS{alertstate="firing", alertname!="Watchdog"})',
            eval_time: '100m',
            exp_samples: expected.map((labels) => ({
              labels: `{${format({ release: 'survey', ...labels })}}`,
              value: 1,
            })),
          },
        ],
      },
    ],
  };
  const file = join(folder, 'alerts.test.yaml');
  await writeFile(file, stringify(test));
  const { code, output, errors } = await runProgram(promtool ?? '', ['test', 'rules', file]);
  return code === 0 ? '' : output + errors;
}

describe.skipIf(promtool === undefined)(
  'the alerts of two installations and a busy neighbour in one Prometheus',
  () => {
    const up = series('up', [...healthy(prod), ...healthy(staging)]);
    const gateways = [
      { ...prod, job: 'gateway' },
      { ...staging, job: 'gateway' },
    ] as const;
    const traffic = gateways.flatMap((gateway) => requests(gateway, 600, 0));

    it('are silent if both are fine, whatever the neighbour does', async () => {
      const input = [
        ...up,
        ...traffic,
        ...requests(neighbour, 0, 60_000),
        ...series('up', [[neighbour, '0x120']]),
        ...series('process_start_time_seconds', [[exporter, '0+1x120']]),
        ...series('process_open_fds', [[exporter, '1000x120']]),
        ...series('process_max_fds', [[exporter, '1000x120']]),
        ...series('nodejs_eventloop_lag_p99_seconds', [[neighbour, '9x120']]),
        ...series('dependency_up', [[{ ...neighbour, dependency: 'database' }, '0x120']]),
      ];
      expect(await findFiring(input, [])).toBe('');
    }, 60_000);

    it('page for a failing API of one installation, although the others answer well', async () => {
      const input = [
        ...up,
        ...requests(gateways[0], 0, 60),
        ...requests(gateways[1], 600, 0),
        ...requests(neighbour, 60_000, 0),
      ];
      const names = ['BudgetBurnsFast', 'BudgetBurns', 'BudgetBurnsSlowly', 'BudgetLeaks'];
      const firing = names.map((alertname) => ({ alertname, namespace: 'prod' }));
      expect(await findFiring(input, firing)).toBe('');
    }, 60_000);

    it('page for an outage of one installation, although the other runs', async () => {
      const down: readonly Input[] = JOBS.map((job) => [{ ...prod, job }, job === 'import' ? '_x120' : '0x120']);
      const input = [...series('up', [...down, ...healthy(staging)]), ...traffic];
      const firing = JOBS.flatMap((job) => [
        { alertname: 'NoHealthyReplica', namespace: 'prod', job },
        ...(job === 'import' ? [] : [{ alertname: 'ReplicaDown', namespace: 'prod', job }]),
      ]);
      expect(await findFiring(input, firing)).toBe('');
    }, 60_000);

    it('name the installation of a problem', async () => {
      const letters = { ...staging, job: 'webhook', topic: 'response.events' };
      const input = [...up, ...traffic, ...series('kafka_dead_letters_waiting', [[letters, '2x120']])];
      expect(await findFiring(input, [{ alertname: 'DeadLetters', namespace: 'staging' }])).toBe('');
    }, 60_000);
  },
);
