import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  applyManifests,
  applyTrial,
  forwardGateway,
  installChart,
  testChart,
} from '@survey/tools/cluster/chart-commands';
import { type Command, toCommandLine } from '@survey/tools/cluster/command';
import { buildImage } from '@survey/tools/cluster/image-commands';
import { imageNames, imageOf } from '@survey/tools/cluster/names';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../support/run-step.ts';
import { loadYaml } from './chart.ts';
import schema from './skaffold.schema.json' with { type: 'json' };

// biome-ignore lint/suspicious/noExplicitAny: the schema says what it is
const documents: readonly any[] = parseAllDocuments(await readFile(join(root, 'skaffold.yaml'), 'utf8')).map(
  (document) => document.toJS(),
);
const [trial, platform] = documents;
const [release] = platform.deploy.helm.releases;

/** The argument after an option. */
function optionOf({ args }: Command, option: string): string | undefined {
  return args[args.indexOf(option) + 1];
}

describe('skaffold.yaml', () => {
  it('has only keys that its version documents', () => {
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    for (const document of documents) expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...platform, deploy: { helm: { releases: [{ ...release, imageStrategy: {} }] } } })).toBe(false);
  });

  it('builds the same images as the plain commands', () => {
    const built = platform.build.artifacts.map(
      // biome-ignore lint/suspicious/noExplicitAny: the schema says what it is
      ({ image, context, docker }: any) =>
        `docker build --file ${docker.dockerfile} --build-arg SERVICE=${docker.buildArgs.SERVICE} --tag ${image}:0 ${context}`,
    );
    const plain = imageNames.map((name) => {
      const { command, args } = buildImage(name, '0', {});
      return [command, ...args].join(' ');
    });
    expect(built.sort()).toEqual([...plain].sort());
  });

  it('installs the chart like the plain commands, with its own images', async () => {
    const plain = installChart('now');
    expect(plain.args.slice(0, 4)).toEqual(['upgrade', '--install', release.name, release.chartPath]);
    expect(optionOf(plain, '--namespace')).toBe(release.namespace);
    expect([optionOf(plain, '--values')]).toEqual(release.valuesFiles);
    expect(plain.args.includes('--wait')).toBe(release.wait);
    const flags = ['--timeout', optionOf(plain, '--timeout')];
    expect(platform.deploy.helm.flags).toEqual({ install: flags, upgrade: flags });
    const values = imageNames.map((name) => [
      ['gateway', 'admin'].includes(name) ? `${name}.image` : `services.${name}.image`,
      `{{.IMAGE_FULLY_QUALIFIED_${imageOf(name).replaceAll('-', '_')}}}`,
    ]);
    expect(release.setValueTemplates).toEqual(Object.fromEntries(values));
    expect(await loadYaml('helm/values.yaml')).toMatchObject({ image: { repository: 'survey' } });
  });

  it('installs MongoDB, Kafka and Secrets, tests and forwards ports like the plain commands', () => {
    // Modules are deployed in order; those that none requires are optional.
    expect(documents.map(({ metadata, requires }) => [metadata.name, requires])).toEqual([
      ['trial', undefined],
      ['platform', undefined],
    ]);
    expect(applyTrial().args).toEqual([
      ...['--namespace', trial.deploy.kubectl.defaultNamespace, 'apply', '--kustomize'],
      ...trial.manifests.kustomize.paths,
    ]);
    const [, , line] = trial.deploy.kubectl.hooks.before[0].host.command;
    expect(line).toBe(`npm run --silent cluster -- secrets | ${toCommandLine(applyManifests({}))}`);
    const ci = platform.profiles.find(({ name }: { name: string }) => name === 'ci');
    const { command, args } = testChart();
    const hooks = { after: [{ host: { command: [command, ...args] } }] };
    const bases = imageNames.map((_name, index) => ({
      op: 'add',
      path: `/build/artifacts/${index}/docker/buildArgs/BASE`,
      value: '{{.BASE}}',
    }));
    expect(ci).toEqual({ name: 'ci', patches: [...bases, { op: 'add', path: '/deploy/helm/hooks', value: hooks }] });
    const [{ resourceType, resourceName, namespace, port, localPort }] = platform.portForward;
    expect(toCommandLine(forwardGateway())).toBe(
      `kubectl --namespace ${namespace} port-forward ${resourceType}/${resourceName} ${localPort}:${port}`,
    );
  });
});
