import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readReleases } from '@survey/local/release/changelog';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../support/run-step.ts';

const read = (path: string) => readFile(join(root, path), 'utf8');

describe('a release', () => {
  it('has one version: in the manifests, the chart and the changelog', async () => {
    const { version } = manifest;
    for (const workspace of manifest.workspaces) {
      const {
        version: own,
        dependencies = {},
        devDependencies = {},
      } = JSON.parse(await read(join(workspace, 'package.json')));
      const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('@survey/'),
      );
      expect([own, ...ours.map(([, wanted]) => wanted)], workspace).toEqual([own, ...ours].map(() => version));
    }
    expect(await read('helm/Chart.yaml')).toContain(`\nversion: ${version}\nappVersion: "${version}"\n`);
    expect(await read('helm/examples/production.yaml')).toContain(`tag: ${version}\n`);
    expect(readReleases(await read('CHANGELOG.md'))[0]?.version).toBe(version);
  });
});

describe('workflows', () => {
  it('run only existing commands', async () => {
    const folder = '.github/workflows';
    const files = await readdir(join(root, folder));
    expect(files.sort()).toEqual(['ci.yml', 'nightly.yml', 'release.yml']);
    for (const file of files) {
      const scripts = [...(await read(join(folder, file))).matchAll(/\bnpm (?:run )?(?:--silent )?([\w:]+)/g)];
      expect(scripts.length).toBeGreaterThan(0);
      for (const [, script = ''] of scripts)
        if (script !== 'pkg') expect(Object.keys(manifest.scripts), file).toContain(script);
    }
  });

  it('have the history for npm run test:all, which runs the previous release', async () => {
    const { jobs } = parse(await read('.github/workflows/nightly.yml'));
    const steps: { run?: string; with?: object }[] = jobs['test-all'].steps;
    expect(steps.map(({ run }) => run)).toContain('npm run test:all');
    expect(steps[0]?.with).toEqual({ 'fetch-depth': 0 });
  });

  it('install the tools of the chart before its tests', async () => {
    const { jobs } = parse(await read('.github/workflows/nightly.yml'));
    const commands = (jobs.chart.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(['go -C test/helm install tool', 'npm run test:helm']);
    const module = await read('test/helm/go.mod');
    for (const tool of ['helm.sh/helm/v4/cmd/helm', 'yannh/kubeconform', 'helm-unittest/cmd/helm-unittest'])
      expect(module).toContain(tool);
  });
});
