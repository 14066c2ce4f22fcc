import { describe, expect, it } from 'vitest';
import { type KubernetesObject, renderChart, variants } from './chart.ts';
import { isOfOthers, knownVariables } from './known-variables.ts';
import { needChartTools } from './tools.ts';

const tools = needChartTools();
const rendered = await Promise.all(Object.values(variants).map((args) => renderChart(tools, args)));
const parts = ['gateway', 'identity', 'survey', 'response', 'import', 'webhook'];

interface Entry {
  readonly name: string;
  readonly value?: string;
}

/** The entries with `valueFrom` of a container. */
const referencesOf = ({ env = [] }: { readonly env?: readonly Entry[] }) =>
  env.filter(({ value }) => value === undefined);

/** The variables of a process in the chart. Its Deployment and its container of the set-up job must have the same. */
function setVariables(objects: readonly KubernetesObject[], name: string): Readonly<Record<string, string>> {
  const map = objects.find((object) => object.kind === 'ConfigMap' && object.metadata.name.endsWith(`-${name}`));
  const data: Readonly<Record<string, string>> = map?.['data'];
  const containerOf = (kind: string, ofObject: string) =>
    objects
      .find((object) => object.kind === kind && object.metadata.name.endsWith(ofObject))
      ?.['spec'].template.spec.containers.find((container: Entry) => container.name === name);
  const references = referencesOf(containerOf('Deployment', `-${name}`));
  const setup = containerOf('Job', '-setup');
  if (setup !== undefined) {
    const texts = (setup.env as readonly Entry[]).filter(({ value }) => value !== undefined);
    expect(Object.fromEntries(texts.map((entry) => [entry.name, entry.value]))).toEqual(data);
    expect(referencesOf(setup)).toEqual(references);
  }
  return { ...data, ...Object.fromEntries(references.map((entry) => [entry.name, ''])) };
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
