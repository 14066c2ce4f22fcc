import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderText } from '../helm/chart.ts';
import { findChartTools } from '../helm/tools.ts';
import { valuesArguments, writeValues } from './chart.ts';
import { productionArguments } from './production.ts';

const tools = findChartTools();
if (typeof tools === 'string') console.warn(tools);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-values-'));
  await writeValues(folder, '10.0.0.1');
});
afterAll(() => rm(folder, { recursive: true }));

it
  .skipIf(typeof tools === 'string')
  .each([
    { responses: 1 },
    { responses: 'by CPU' },
    { responses: 2, drainSeconds: 12 },
    { responses: 2, tls: true },
  ] as const)('the values of cluster tests fit the chart: %j', async (installation) => {
  if (typeof tools === 'string') throw new Error(tools);
  const args = [
    '--values',
    'helm/examples/laptop.yaml',
    ...valuesArguments(folder, { built: 'test', ...installation }),
  ];
  const rendered = await renderText(tools, args);
  expect(rendered).toContain('CONSOLE_SIGN_IN_BY_LINK');
  expect(rendered).toContain('127.0.0.0/8,::1/128,10.0.0.1/32');
});

it.skipIf(typeof tools === 'string')('the example for production fits a test cluster', async () => {
  if (typeof tools === 'string') throw new Error(tools);
  const rendered = await renderText(tools, await productionArguments(folder));
  for (const secret of [
    'survey-keyring-response',
    'survey-mongodb-import',
    'survey-tls-gateway',
    'survey-metrics-token',
  ])
    expect(rendered).toContain(`secretName: "${secret}"`);
  const images = [...rendered.matchAll(/image: "([^"]*)"/g)].map(([, image]) => image ?? '');
  expect(images.length).toBeGreaterThan(10);
  for (const image of images) expect(image).toMatch(/^survey-[a-z]+:/);
  expect(rendered).toMatch(/DRAIN_MS: "?15000/);
  expect(rendered).not.toMatch(/JWT_JWKS_URL|kind: (?:HTTPRoute|ServiceMonitor|PrometheusRule)/);
});
