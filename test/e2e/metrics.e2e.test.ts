import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { delivery } from '../../deploy/grafana/delivery.ts';
import { ingest } from '../../deploy/grafana/ingest.ts';
import { platform } from '../../deploy/grafana/platform.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Metric, parseExposition, type Series } from '../support/metrics/exposition.ts';
import { type Matcher, parseQuery, type Selector } from '../support/metrics/promql.ts';
import { readRules, readRunbookQueries } from '../support/metrics/rules.ts';
import { createApi, createTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** The metrics page of each process. */
const pages = new Map<string, readonly Metric[]>();
let receiver: Receiver;

async function readPages(): Promise<void> {
  for (const [name, { admin }] of Object.entries(inject('stack').services)) {
    pages.set(name, parseExposition(await (await fetch(`${admin}/metrics`)).text()));
  }
}

const metrics = () => [...pages.values()].flat();
const series = () => metrics().flatMap((metric) => metric.series);
/** Metrics of Node.js do not follow our conventions. */
const own = () => metrics().filter(({ name }) => !/^(process|nodejs)_/.test(name));

/** Submit a response that reaches a webhook, so all metrics have values. */
beforeAll(async () => {
  receiver = await startReceiver();
  const { api } = await createTenant();
  await api('POST', '/v1/webhooks', { body: { url: receiver.url, event_types: ['response.submitted'] } });
  const { body: survey } = await api('POST', '/v1/surveys', { body: lunchSurvey });
  await api('POST', `/v1/surveys/${survey.id}/publish`);
  const path = `/v1/public/surveys/${survey.id}/responses`;
  await createApi()('POST', path, { body: { status: 'completed', data: lunchAnswers } });
  await poll(() => receiver.received.length > 0);
  await poll(async () => {
    await readPages();
    const there = new Set(series().map(({ name }) => name));
    // These appear with a delay.
    return ['webhook_delivery_delay_seconds_count', 'kafka_consumer_lag', 'outbox_pending_documents'].every((name) =>
      there.has(name),
    );
  });
});
afterAll(() => receiver.close());

describe('the page of each process', () => {
  it('names metrics by the conventions, and describes each in a sentence', () => {
    expect([...pages.keys()].sort()).toEqual(['gateway', 'identity', 'import', 'response', 'survey', 'webhook']);
    for (const { name, help, type } of own()) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
      expect([name, help]).toEqual([name, expect.stringMatching(/^\S.*\.$/)]);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes|size)$/);
    }
  });

  it('has no labels that Prometheus sets itself, and ids only of tenants and surveys', () => {
    for (const { name, labels } of own().flatMap((metric) => metric.series)) {
      for (const [label, value] of Object.entries(labels)) {
        expect([name, label]).toEqual([name, expect.stringMatching(/^[a-z]+(_[a-z]+)*$/)]);
        expect([name, label]).not.toEqual([
          name,
          expect.stringMatching(/^(job|instance|service|pod|namespace|container|endpoint_slice)$/),
        ]);
        if (label !== 'tenant_id' && label !== 'survey_id')
          expect([name, label, value]).toEqual([name, label, expect.not.stringMatching(/[0-9a-f]{8}-[0-9a-f]{4}-/)]);
      }
    }
  });

  it('has the five fixed names with exactly their labels, those of requests only on the gateway', () => {
    const labelsOf = (name: string) => [
      ...new Set(
        series()
          .filter((item) => item.name === name)
          .map(({ labels }) => Object.keys(labels).join()),
      ),
    ];
    expect(labelsOf('http_requests_total')).toEqual(['method,endpoint,status_code,tenant_id']);
    expect(labelsOf('http_request_duration_seconds_count')).toEqual(['method,endpoint,tenant_id']);
    expect(labelsOf('survey_responses_total')).toEqual(['tenant_id,survey_id,status']);
    expect(labelsOf('active_surveys_count')).toEqual(['tenant_id']);
    expect(labelsOf('database_connection_pool_size')).toEqual(['pool_type']);
    for (const [process, page] of pages) {
      expect(page.some(({ name }) => name.startsWith('http_'))).toBe(process === 'gateway');
    }
  });

  it('has the version, the event loop lag and each RPC of every process', () => {
    for (const page of pages.values()) {
      const names = page.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['build_info', 'nodejs_eventloop_lag_p99_seconds']));
    }
    const methods = series().flatMap(({ name, labels }) =>
      name === 'rpc_server_duration_seconds_count' ? [labels['method']] : [],
    );
    expect(methods).toEqual(
      expect.arrayContaining([
        'survey.responses.v1.PublicResponseService/SubmitPublicResponse',
        'survey.surveys.v1.DefinitionService/GetDefinition',
      ]),
    );
  });
});

const { recordings, alerts } = await readRules();
const dashboards = [platform, ingest, delivery];
const expressions: readonly (readonly [name: string, expression: string])[] = [
  ...recordings.map(({ record, labels, expr }) => [`${record} ${labels?.['slo'] ?? ''}`, expr] as const),
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboards.flatMap(({ title, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap((panel) =>
        panel.lines.map(({ expr, legend }) => [`${title}: ${panel.title}, ${legend}`, expr] as const),
      ),
    ),
  ),
  ...(await readRunbookQueries()).map(([alert, expr]) => [`runbook, ${alert}: ${expr}`, expr] as const),
];

/** Labels that Prometheus adds. */
const TARGET_LABELS = ['job', 'instance', 'namespace', 'release'];
/** Label values that occur only in case of errors, as in the code. */
const RARE: readonly (readonly [label: string, value: RegExp])[] = [
  ['status_code', /^(5\.\.|429)$/],
  ['code', /^(Internal|Unknown|DataLoss)(\|(Internal|Unknown|DataLoss))*$/],
  ['outcome', /^failed$/],
];

/** Metrics that this stack does not have: Prometheus makes alerts, and no certificate or key ends. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  ALERTS: ['alertname'],
  secret_expiry_timestamp_seconds: ['secret', 'key'],
};

/** The labels of a recorded metric: its groupings, additional labels, and those of recorded metrics that it uses. */
function recordedLabels(name: string): readonly string[] | undefined {
  const found = recordings.filter(({ record }) => record === name);
  if (found.length === 0) return undefined;
  return found.flatMap(({ expr, labels = {} }) => {
    const { groupings, selectors } = parseQuery(expr);
    const used = selectors.flatMap((selector) => recordedLabels(selector.name) ?? []);
    return [...Object.keys(labels), ...groupings, ...used];
  });
}

/** The labels of the selected series on the running stack. */
function labelsOf({ name }: Selector): readonly string[] {
  if (name === 'up') return TARGET_LABELS;
  if (ABSENT[name] !== undefined) return [...TARGET_LABELS, ...ABSENT[name]];
  const recorded = recordedLabels(name);
  if (recorded !== undefined) return recorded;
  const found = series().filter((item) => item.name === name);
  expect([name, found.length > 0]).toEqual([name, true]);
  return [...TARGET_LABELS, ...found.flatMap(({ labels }) => Object.keys(labels))];
}

/** Excluded values need not exist. */
function isFulfilled({ label, operator, value }: Matcher, { labels }: Series): boolean {
  const said = labels[label] ?? '';
  switch (operator) {
    case '=':
      return said === value;
    case '=~':
      return new RegExp(`^(?:${value})$`).test(said);
    default:
      return true;
  }
}

describe('every query of dashboards, rules and the runbook', () => {
  it.each(expressions)('%s', (_case, expression) => {
    const { selectors, groupings } = parseQuery(expression);
    const known = new Set(selectors.flatMap(labelsOf));
    for (const label of groupings) expect([...known]).toContain(label);
    for (const selector of selectors) {
      const { name, matchers } = selector;
      for (const { label } of matchers)
        expect([name, labelsOf(selector)]).toEqual([name, expect.arrayContaining([label])]);
      if (name.includes(':') || ABSENT[name] !== undefined) continue;
      const common = matchers.filter(
        ({ label, value }) =>
          !TARGET_LABELS.includes(label) &&
          !value.startsWith('$') &&
          !RARE.some(([rare, values]) => rare === label && values.test(value)),
      );
      for (const matcher of common) {
        const is = series().some((item) => item.name === name && isFulfilled(matcher, item));
        expect([name, matcher, is]).toEqual([name, matcher, true]);
      }
    }
  });

  it('has only existing labels in its legend', () => {
    const lines = dashboards.flatMap(({ rows }) =>
      rows.flatMap(({ panels }) => panels.flatMap((panel) => panel.lines)),
    );
    for (const { expr, legend } of lines) {
      const { selectors, groupings } = parseQuery(expr);
      const left = groupings.length > 0 ? groupings : selectors.flatMap(labelsOf);
      for (const [, label = ''] of legend.matchAll(/\{\{(\w+)\}\}/g))
        expect([expr, left]).toEqual([expr, expect.arrayContaining([label])]);
    }
  });
});
