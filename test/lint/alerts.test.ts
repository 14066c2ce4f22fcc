import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toKeyFiles } from '@survey/local/stack/keys';
import { planProcesses } from '@survey/local/stack/plan-processes';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderRules } from '../../deploy/prometheus/render-rules.ts';
import { parseQuery } from '../support/metrics/promql.ts';
import { readRules, readRunbookQueries } from '../support/metrics/rules.ts';
import { root } from '../support/run-step.ts';

const { recordings, alerts } = await readRules();
const folder = join(root, 'deploy/prometheus');
const tests = ['rules.test.yaml', 'hours.test.yaml'];

describe('each alert', () => {
  it.each(alerts)('$alert has a severity, a summary and no dead link', ({ labels, annotations }) => {
    expect(['page', 'ticket', 'none']).toContain(labels?.['severity']);
    expect(annotations?.['summary']).toMatch(/^\S.*[^.\s]$/);
    expect(annotations).not.toHaveProperty('runbook_url');
  });

  it('has a unique name', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('is tested when it fires and when it does not', async () => {
    const files = await Promise.all(tests.map((file) => readFile(join(folder, file), 'utf8')));
    const written: { promql_expr_test: unknown }[] = files.flatMap((file) => parse(file).tests);
    const asked: { expr: string; exp_samples: { labels: string }[] }[] = written.flatMap(
      (test) => test.promql_expr_test as { expr: string; exp_samples: { labels: string }[] }[],
    );
    for (const { alert } of alerts) {
      const about = asked.filter(({ expr }) => {
        const matcher = parseQuery(expr).selectors[0]?.matchers.find(({ label }) => label === 'alertname');
        return matcher !== undefined && new RegExp(`^(?:${matcher.value})$`).test(alert);
      });
      const fires = ({ exp_samples }: (typeof asked)[number]) =>
        exp_samples.some(({ labels }) => labels.includes(`alertname="${alert}"`));
      // The watchdog is never silent.
      const isSilent = alert === 'Watchdog' || about.some((query) => !fires(query));
      expect([alert, about.some(fires), isSilent]).toEqual([alert, true, true]);
    }
  });
});

describe('the runbook', () => {
  it('has a section for each alert in the order of the rules, and none for others', async () => {
    const text = await readFile(join(root, 'docs/runbook.md'), 'utf8');
    const sections = [...text.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
  });

  it('has the same parts for each alert', async () => {
    const text = await readFile(join(root, 'docs/runbook.md'), 'utf8');
    for (const section of text.split(/^### /m).slice(1)) {
      for (const part of ['**Means**', '**Look**', '**Do**']) expect(section).toContain(part);
    }
  });

  it('has a command or a query to look with in each section, or refers to one that has', async () => {
    const text = await readFile(join(root, 'docs/runbook.md'), 'utf8');
    for (const section of text.split(/^### /m).slice(1)) {
      const look = section.slice(section.indexOf('**Look**'), section.indexOf('**Do**'));
      expect(section.split('\n')[0] + look).toMatch(
        /```(?:sh|promql)\n|`(?:errors|logs|pods|admin|k|kubectl) |\]\(#[a-z]+\)/,
      );
    }
  });

  it('has queries that Prometheus can parse', async () => {
    const queries = await readRunbookQueries();
    expect(queries.length).toBeGreaterThan(20);
    for (const [, expr] of queries) expect(parseQuery(expr).selectors).not.toEqual([]);
  });

  it('quotes only existing log messages', async () => {
    const text = await readFile(join(root, 'docs/runbook.md'), 'utf8');
    const files = await Array.fromAsync(glob('{lib,services,gateway}/**/src/**/*.ts', { cwd: root }));
    const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
    for (const [, quoted = ''] of text.matchAll(/`"([^"`]+)"`/g)) {
      expect([quoted, sources.some((source) => source.includes(quoted))]).toEqual([quoted, true]);
    }
  });
});

describe('the rules of the default values', () => {
  it('are up to date: node deploy/prometheus/generate.ts', async () => {
    const read = (path: string) => readFile(join(root, path), 'utf8');
    const rendered = renderRules(await read('helm/files/rules.yaml'), await read('helm/values.yaml'));
    expect(parse(await read('deploy/prometheus/rules.yaml'))).toEqual(rendered);
  });

  it.each([...recordings, ...alerts])('select one installation: $record$alert', ({ expr, labels }) => {
    expect(labels).toMatchObject({ namespace: 'survey', release: 'survey' });
    for (const { name, matchers } of parseQuery(expr).selectors) {
      const wanted = name.includes(':') ? ['namespace', 'release'] : ['namespace', 'release', 'job'];
      expect([name, matchers.map(({ label }) => label)]).toEqual([name, expect.arrayContaining(wanted)]);
    }
  });

  it('have only thresholds of existing alerts that use them', async () => {
    const read = (path: string) => readFile(join(root, path), 'utf8');
    const { groups } = parse(await read('helm/files/rules.yaml'));
    const rules: { alert?: string; expr: string }[] = groups.flatMap((group: { rules: unknown }) => group.rules);
    const users = rules.filter(({ expr }) => expr.includes('$threshold')).map(({ alert }) => alert);
    const { prometheusRule } = parse(await read('helm/values.yaml'));
    expect(Object.keys(prometheusRule.thresholds).sort()).toEqual(users.sort());
    expect(await read('deploy/prometheus/rules.yaml')).not.toContain('undefined');
  });
});

describe('recorded metrics', () => {
  it('are all used', async () => {
    const dashboards = ['platform', 'ingest', 'delivery'].map((name) =>
      readFile(join(root, `helm/files/dashboards/${name}.json`), 'utf8'),
    );
    const used = [...[...alerts, ...recordings].map(({ expr }) => expr), ...(await Promise.all(dashboards))].join('\n');
    for (const { record } of recordings) expect(used).toContain(record);
  });
});

describe('the settings of Prometheus', () => {
  it('have every process with its port of npm start', async () => {
    const { scrape_configs: jobs } = parse(await readFile(join(folder, 'prometheus.yaml'), 'utf8'));
    const claim = async (port: number) => port;
    const ports = { claim, claimExactly: claim, release: () => {} };
    const around = { mongodbUri: '', kafkaBrokers: '', keys: toKeyFiles('') };
    const { gateway, services } = await planProcesses(ports, 8080, around);
    const targets = jobs.map((job: { job_name: string; static_configs: [{ targets: [string] }] }) => [
      job.job_name,
      `http://${job.static_configs[0].targets[0]}`,
    ]);
    expect(targets).toEqual([gateway, ...services].map(({ name, admin }) => [name, admin]));
  });
});
