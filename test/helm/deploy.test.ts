import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processNames } from '@survey/tools/cluster/names';
import { toTrialSecrets } from '@survey/tools/cluster/secrets';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/run-step.ts';
import { loadEdges, loadYaml } from './chart.ts';
import { isOfOthers, knownVariables } from './known-variables.ts';

interface Process {
  readonly environment: Readonly<Record<string, string>>;
  readonly build: { readonly dockerfile: string; readonly args: { readonly SERVICE: string } };
}

const compose = parse(await readFile(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true });

describe.each(processNames)('%s in compose.yaml', (name) => {
  // The file above has this process.
  const { environment, build } = compose.services[name] as Process;

  it('gets known variables, and the addresses of the processes that it calls', async () => {
    const known = await knownVariables(name);
    expect(Object.keys(environment).filter((variable) => !known.has(variable) && !isOfOthers(variable))).toEqual([]);
    const { calls = {} } = (await loadEdges())[name] ?? {};
    const called = Object.entries(calls).filter(([, ports]) => ports.includes('grpc'));
    const addresses = called.map(([callee]) => [`${callee.toUpperCase()}_GRPC_ADDRESS`, `${callee}:9090`]);
    expect(environment).toMatchObject(Object.fromEntries(addresses));
    expect(Object.keys(environment).filter((variable) => variable.endsWith('_GRPC_ADDRESS'))).toHaveLength(
      addresses.length,
    );
  });

  it('has its own image', () => {
    expect(build).toMatchObject({ dockerfile: 'deploy/Dockerfile', args: { SERVICE: name } });
  });
});

interface Listed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly stringData?: Readonly<Record<string, string>>;
}

describe('the Secrets of a trial', () => {
  it('are those that the chart uses by default, and do not change', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'survey-keys-'));
    try {
      const made = await toTrialSecrets(folder, 'there');
      const { items } = made as { readonly items: readonly Listed[] };
      expect(await toTrialSecrets(folder, 'there')).toEqual(made);
      const token = items.find(({ metadata }) => metadata.name === 'survey-metrics-token')?.stringData?.['token'];
      expect(token).toMatch(/^[\da-f]{64}$/);
      const secrets = items.filter(({ kind }) => kind === 'Secret');
      expect(new Set(secrets.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['there']));
      const { defaults, gateway } = await loadYaml<{
        readonly defaults: { readonly secrets: Readonly<Record<string, string>> };
        readonly gateway: { readonly secrets: Readonly<Record<string, string>> };
      }>('helm/values.yaml');
      const { internalKey = '', ...shared } = defaults.secrets;
      const ofProcesses = [...processNames, 'operator'].map((name) => internalKey.replace('{name}', name));
      const wanted = [...ofProcesses, ...Object.values(shared), ...Object.values(gateway.secrets)];
      expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual(wanted.sort());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
