import { describe, expect, it } from 'vitest';
import { type KubernetesObject, renderChart, variants } from './chart.ts';
import { isOfOthers, knownVariables } from './known-variables.ts';
import { needChartTools } from './tools.ts';

const tools = needChartTools();
const rendered = await Promise.all(Object.values(variants).map((args) => renderChart(tools, args)));
const parts = ['gateway', 'identity', 'survey', 'response', 'import', 'webhook'];

/** The variables of a process in the chart: its ConfigMap and its set-up job must be equal. */
function setVariables(objects: readonly KubernetesObject[], name: string): Readonly<Record<string, string>> {
  const map = objects.find((object) => object.kind === 'ConfigMap' && object.metadata.name.endsWith(`-${name}`));
  const data: Readonly<Record<string, string>> = map?.['data'];
  const job = objects.find((object) => object.kind === 'Job' && object.metadata.name.endsWith(`-${name}-setup`));
  if (job !== undefined) {
    const entries: readonly { name: string; value: string }[] = job['spec'].template.spec.containers[0].env;
    expect(Object.fromEntries(entries.map((entry) => [entry.name, entry.value]))).toEqual(data);
  }
  return data;
}

describe.each(parts)('what the chart sets for %s', (name) => {
  it('is known to the process', async () => {
    const known = await knownVariables(name);
    expect(known.size).toBeGreaterThan(5);
    for (const objects of rendered) {
      const set = Object.keys(setVariables(objects, name));
      expect(set.filter((variable) => !known.has(variable) && !isOfOthers(variable))).toEqual([]);
    }
  });
});

it('the chart sets nothing that only a local stack may have', () => {
  for (const objects of rendered) {
    const { DOCS_KEEP_TOKEN, CONSOLE_SIGN_IN_BY_LINK, CORS_ORIGINS = '' } = setVariables(objects, 'gateway');
    expect({ DOCS_KEEP_TOKEN, CONSOLE_SIGN_IN_BY_LINK, localPages: CORS_ORIGINS.includes(':*') }).toEqual({
      DOCS_KEEP_TOKEN: undefined,
      CONSOLE_SIGN_IN_BY_LINK: undefined,
      localPages: false,
    });
  }
});

it('the chart switches the web apps on, off, and to an identity provider', () => {
  const found = rendered.map((objects) => {
    const { CONSOLE_ENABLED, RESPOND_ENABLED, CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_ORIGINS } = setVariables(
      objects,
      'gateway',
    );
    return [CONSOLE_ENABLED, RESPOND_ENABLED, CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_ORIGINS];
  });
  expect(found).toContainEqual(['true', 'true', undefined, undefined]);
  expect(found).toContainEqual(['false', 'false', undefined, undefined]);
  expect(found).toContainEqual(['true', 'true', 'https://login.example.com', 'https://tokens.example.com']);
});
