import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/run-step.ts';
import { loadEdges, loadYaml, renderChart, renderText, variants } from './chart.ts';
import { needChartTools, runProgram } from './tools.ts';

const tools = needChartTools();
/** Custom resources, which kubeconform does not know. */
const CUSTOM = 'ServiceMonitor,PrometheusRule,HTTPRoute,ScaledObject';
const schemas = process.env['KUBECONFORM_SCHEMAS'];

/** Validates objects against the schemas of Kubernetes. Returns the errors, or ''. */
async function findInvalid(objects: string): Promise<string> {
  const location = schemas === undefined ? [] : ['-schema-location', schemas];
  const checks = ['-strict', '-kubernetes-version', '1.34.0', '-skip', CUSTOM, ...location];
  const { code, output, errors } = await runProgram(tools.kubeconform, checks, objects);
  return code === 0 ? '' : output + errors;
}

describe.each(Object.entries(variants))('the chart, %s,', (_name, args) => {
  it('passes helm lint --strict', async () => {
    const { code, output, errors } = await runProgram(tools.helm, ['lint', '--strict', 'helm', ...args]);
    expect(code, output + errors).toBe(0);
  });

  it('renders valid Kubernetes objects', async () => {
    expect(await findInvalid(await renderText(tools, args))).toBe('');
  });
});

describe('an invalid object', () => {
  it('is reported', async () => {
    expect(await findInvalid('apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {prots: []}\n')).toContain(
      'prots',
    );
  });
});

describe('the trial', () => {
  it.each(['deploy/trial/mongodb.yaml', 'deploy/trial/kafka.yaml'])('has valid objects in %s', async (file) => {
    expect(await findInvalid(await readFile(join(root, file), 'utf8'))).toBe('');
  });
});

describe('helm-unittest', () => {
  it('passes every suite', async () => {
    const { code, output, errors } = await runProgram(tools.unittest, ['--strict', 'helm']);
    expect(code, output + errors).toBe(0);
  });
});

describe('the package', () => {
  it('has the examples and the guide for upgrades, and no tests', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'survey-chart-'));
    try {
      const { code, errors } = await runProgram(tools.helm, ['package', 'helm', '--destination', folder]);
      expect(code, errors).toBe(0);
      const [archive = ''] = await readdir(folder);
      const { output } = await runProgram('tar', ['--list', '--file', join(folder, archive)]);
      const files = output.trim().split('\n');
      const examples = (await readdir(join(root, 'helm/examples'))).map((name) => `survey/examples/${name}`);
      expect(files).toEqual(expect.arrayContaining([...examples, 'survey/UPGRADING.md', 'survey/README.md']));
      expect(files.filter((file) => /_test\.yaml$/.test(file))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('an umbrella chart', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'survey-umbrella-'));
    await cp(join(root, 'helm'), join(folder, 'charts/survey'), { recursive: true });
    await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: umbrella\nversion: 1.0.0\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('shares its registry and the Secrets for it', async () => {
    const settings = [
      '--set',
      'global.imageRegistry=mirror.example.com',
      '--set',
      'global.imagePullSecrets={registry}',
    ];
    const { output } = await runProgram(tools.helm, ['template', 'survey', folder, ...settings]);
    const images = [...output.matchAll(/image: "?([^"\n]*)/g)].map(([, image = '']) => image);
    expect(images.length).toBeGreaterThan(10);
    expect(images.filter((image) => !image.startsWith('mirror.example.com/survey-'))).toEqual([]);
    expect(output.match(/imagePullSecrets:\n *- name: registry\n/g)).toHaveLength(8);
  });

  it('shares nothing that the chart does not use', async () => {
    const { code, errors } = await runProgram(tools.helm, ['template', 'survey', folder, '--set', 'global.domain=a']);
    expect([code, errors]).toEqual([1, expect.stringContaining("at '/global': additional properties 'domain'")]);
  });
});

describe('common labels and annotations', () => {
  it('are those of every object, and the labels also of every pod', async () => {
    const [key, note] = ['example.com/owner', 'example.com/cost-center'];
    const rendered = await renderChart(tools, variants['everything that can be switched on'] ?? []);
    // Extra objects are as they are written.
    const objects = rendered.filter(({ metadata }) => !metadata.name.startsWith('survey-'));
    expect(new Set(objects.map(({ kind }) => kind)).size).toBeGreaterThan(12);
    for (const { kind, metadata, spec } of objects) {
      const name = `${kind} ${metadata.name}`;
      expect(metadata.labels?.[key], name).toBe('research');
      expect(metadata.annotations?.[note], name).toBe('42');
      if (spec?.template !== undefined) expect(spec.template.metadata.labels[key], name).toBe('research');
    }
  });
});

describe('a PrometheusRule', () => {
  it('has the rules that promtool tests', async () => {
    const rendered = await renderChart(tools, ['--set', 'prometheusRule.enabled=true']);
    const rules = await readFile(join(root, 'deploy/prometheus/rules.yaml'), 'utf8');
    const rule = rendered.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.['spec']).toEqual(parse(rules));
  });
});

/** An independent list of the connections of the platform, to compare with `edges.yaml`. */
const PICTURE = {
  gateway: {
    inside: ['gateway', 'identity', 'import', 'response', 'survey', 'webhook'],
    byGrpc: ['identity'],
    outside: ['issuers'],
  },
  identity: { inside: [], byGrpc: [], outside: ['mongodb', 'kafka'] },
  survey: { inside: ['response'], byGrpc: ['response'], outside: ['mongodb', 'kafka'] },
  response: { inside: ['survey'], byGrpc: ['survey'], outside: ['mongodb', 'kafka'] },
  import: { inside: ['response', 'survey'], byGrpc: ['response', 'survey'], outside: ['mongodb', 'kafka'] },
  webhook: {
    inside: ['response', 'survey'],
    byGrpc: ['response', 'survey'],
    outside: ['mongodb', 'kafka', 'receivers'],
  },
  setup: { inside: [], byGrpc: [], outside: ['mongodb', 'kafka'] },
  smoke: { inside: ['gateway'], byGrpc: [], outside: [] },
  admin: {
    inside: ['gateway', 'identity', 'import', 'response', 'survey', 'webhook'],
    byGrpc: ['identity', 'import', 'response', 'survey', 'webhook'],
    outside: ['mongodb', 'kafka'],
  },
};

describe('the edges of the chart', () => {
  it('are those of the list', async () => {
    const edges = Object.entries(await loadEdges()).map(([name, { calls = {}, outside = [] }]) => {
      const inside = Object.keys(calls).sort();
      return [name, { inside, byGrpc: inside.filter((callee) => calls[callee]?.includes('grpc')), outside }];
    });
    expect(Object.fromEntries(edges)).toEqual(PICTURE);
  });
});

describe('the NetworkPolicies', () => {
  it('allow exactly the connections of the list, on both sides', async () => {
    const objects = await renderChart(tools, []);
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    const component = 'app.kubernetes.io/component';
    const names: Readonly<Record<number, string>> = { 8080: 'http', 9090: 'grpc', 9464: 'admin' };
    const edgesOf = (side: 'ingress' | 'egress', peers: 'from' | 'to') =>
      policies.flatMap(({ spec }) => {
        const own = spec.podSelector.matchLabels[component];
        const inside = (spec[side] ?? []).filter((rule: Rule) => rule[peers]?.[0]?.podSelector?.matchLabels[component]);
        return inside.map((rule: Rule) => {
          const other = rule[peers]?.[0]?.podSelector?.matchLabels[component];
          const ports = rule.ports.map(({ port }) => names[port]).join();
          return side === 'egress' ? `${own} > ${other}: ${ports}` : `${other} > ${own}: ${ports}`;
        });
      });
    const expected = Object.entries(await loadEdges()).flatMap(([caller, { calls = {} }]) =>
      Object.entries(calls).map(([callee, ports]) => `${caller} > ${callee}: ${ports.join()}`),
    );
    expect(edgesOf('egress', 'to').sort()).toEqual([...expected].sort());
    expect(edgesOf('ingress', 'from').sort()).toEqual([...expected].sort());
    const outside = Object.entries(await loadEdges()).map(([name, edge]) => [name, edge.outside ?? []] as const);
    const { networkPolicy } = await loadYaml<{ readonly networkPolicy: { readonly outside: Outside } }>(
      'helm/values.yaml',
    );
    for (const [name, destinations] of outside) {
      const policy = policies.find(({ spec }) => spec.podSelector.matchLabels[component] === name);
      const rules: readonly Rule[] = policy?.['spec'].egress;
      const letOut = rules.filter((rule) => rule.to?.[0]?.podSelector === undefined);
      expect(letOut, name).toEqual(
        ['dns', 'collector', ...destinations].flatMap((destination) => networkPolicy.outside[destination]),
      );
      const others = (policy?.['spec'].ingress ?? []).filter((rule: Rule) => rule.from === undefined);
      expect(others, name).toEqual(name === 'gateway' ? [{ ports: [{ port: 8080, protocol: 'TCP' }] }] : []);
    }
    const denied = policies.find(({ metadata }) => metadata.name === 'survey-default-deny');
    expect(denied?.['spec']).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'survey', 'app.kubernetes.io/instance': 'survey' } },
      policyTypes: ['Ingress', 'Egress'],
    });
    // Each rule has a single peer.
    const rules: readonly Rule[] = policies.flatMap(({ spec }) => [...(spec.ingress ?? []), ...(spec.egress ?? [])]);
    const ofPods = rules
      .map(({ from, to }) => from ?? to ?? [])
      .filter((peers) => peers.some((peer) => peer.podSelector));
    expect(ofPods.filter(({ length }) => length !== 1)).toEqual([]);
    expect(denied?.['spec']).not.toHaveProperty('ingress');
    expect(denied?.['spec']).not.toHaveProperty('egress');
  });
});

type Outside = Readonly<Record<string, readonly Rule[]>>;

interface Rule {
  readonly ports: readonly { readonly port: number }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}
