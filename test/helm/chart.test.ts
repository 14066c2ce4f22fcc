import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@survey/local/stack/services';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../support/run-step.ts';
import { loadEdges, loadYaml } from './chart.ts';
import { findChartTools } from './tools.ts';

describe('the chart', () => {
  it('has the version of the platform', async () => {
    expect(await loadYaml('helm/Chart.yaml')).toMatchObject({
      version: manifest.version,
      appVersion: manifest.version,
    });
  });

  it('has the icon of the platform', async () => {
    const { icon } = await loadYaml<{ readonly icon: string }>('helm/Chart.yaml');
    const svg = Buffer.from(icon.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    expect(svg).toBe(await readFile(join(root, 'gateway/src/docs/browser/icon.svg'), 'utf8'));
  });

  it('has a trial of the same version', async () => {
    const trial = await readFile(join(root, 'deploy/trial/mongodb.yaml'), 'utf8');
    expect(trial).toContain(`image: survey-identity:${manifest.version}\n`);
    const { images } = await loadYaml<{
      readonly images: readonly { readonly name: string; readonly newTag: string }[];
    }>('deploy/trial/kustomization.yaml');
    expect(images).toContainEqual(expect.objectContaining({ name: 'survey-identity', newTag: manifest.version }));
  });

  it('allows the same gRPC calls as the local stack', async () => {
    const edges = await loadEdges();
    for (const [name, { calls }] of Object.entries(services)) {
      const called = Object.entries(edges[name]?.calls ?? {});
      expect(called.map(([callee, ports]) => `${callee}: ${ports.join()}`).sort(), name).toEqual(
        calls.map((callee) => `${callee}: grpc`).sort(),
      );
    }
    const others = ['admin', 'gateway', 'setup', 'smoke'];
    expect(Object.keys(edges).sort()).toEqual([...Object.keys(services), ...others].sort());
  });
});

describe('the tools of the chart', () => {
  it('are listed when missing', () => {
    const message = findChartTools({ HELM: '/opt/helm' });
    expect(message).toContain('helm-unittest (or HELM_UNITTEST=PATH), kubeconform (or KUBECONFORM=PATH)');
    expect(message).not.toContain('HELM=PATH');
  });

  it('can be set by environment variables', () => {
    const env = { HELM: '/a', HELM_UNITTEST: '/b', KUBECONFORM: '/c' };
    expect(findChartTools(env)).toEqual({ helm: '/a', unittest: '/b', kubeconform: '/c' });
  });
});
