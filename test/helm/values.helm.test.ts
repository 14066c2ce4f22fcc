import { describe, expect, it } from 'vitest';
import { type KubernetesObject, loadYaml, renderChart, variants } from './chart.ts';
import { needChartTools } from './tools.ts';

const tools = needChartTools();
const COMPONENT = 'app.kubernetes.io/component';
/** Values with a fixed set of choices. */
const CHOICES: Readonly<Record<string, string>> = {
  'image.pullPolicy': 'Never',
  'kafka.sasl.mechanism': 'plain',
  'gateway.service.type': 'NodePort',
  'gateway.service.externalTrafficPolicy': 'Cluster',
};
/** Sample values for settings with a format, or with members. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  env: { OTEL_LOG_LEVEL: 'debug' },
  resources: { limits: { memory: '3Gi' } },
  requests: { cpu: '3' },
  limits: { memory: '3Gi' },
  metrics: [{ type: 'Pods', pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '7' } } }],
  affinity: { podAffinity: {} },
  keda: { enabled: true, triggers: [{ type: 'cron' }] },
  podSecurityContext: { runAsUser: 7 },
  securityContext: { privileged: false },
  startupProbe: { timeoutSeconds: 7 },
  readinessProbe: { timeoutSeconds: 7 },
  livenessProbe: { timeoutSeconds: 7 },
  envFrom: [{ secretRef: { name: 'another' } }],
  volumeMounts: [{ name: 'tmp', mountPath: '/another' }],
  topologySpreadConstraints: [{ topologyKey: 'another' }],
  imagePullSecrets: [{ name: 'another' }],
  digests: { gateway: `sha256:${'7'.repeat(64)}` },
  origins: ['https://another.example.com'],
  timeouts: { request: '7s' },
  extraObjects: [{ kind: 'ConfigMap', metadata: { name: 'another' } }],
  disabledAlerts: ['Watchdog'],
  apiAnswers: 98,
  submitsWithin500Ms: 98,
};
/** Values whose content is one setting. */
const WHOLE =
  /(^|\.)(env|requests|limits|keda|podSecurityContext|securityContext|(startup|readiness|liveness)Probe)$|^networkPolicy\.outside\./;

type Values = Readonly<Record<string, unknown>>;
const values = await loadYaml<Values>('helm/values.yaml');

/** All settings by path. */
function leavesOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && !WHOLE.test(path);
  const members = isBranch ? Object.entries(value) : [];
  if (members.length === 0) return [[path, value]];
  return members.flatMap(([key, member]) => leavesOf(member, path === '' ? key : `${path}.${key}`));
}

/** Other valid values of the same type. */
function othersThan(value: unknown, path: string): readonly unknown[] {
  const choice = CHOICES[path] ?? SAMPLES[path.slice(path.lastIndexOf('.') + 1)];
  if (choice !== undefined) return [choice];
  if (typeof value === 'boolean') return [true, false];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'string') return [path.endsWith('interval') ? '7s' : 'another'];
  if (path.startsWith('networkPolicy.outside.')) return [[{ ports: [{ port: 7 }] }]];
  if (path.startsWith('networkPolicy.') && Array.isArray(value)) return [[{ podSelector: {} }]];
  if (Array.isArray(value)) return [/hosts|hostnames/.test(path) ? ['another'] : [{ name: 'another' }]];
  return [{ another: 'one' }];
}

/** The token of metrics is random, so it would differ between any two installations. */
const FIXED = ['--set-json', 'gateway.createMetricsToken=false'];

/** Installations with everything and with nothing enabled, because some values only affect one of them. */
const bases = await Promise.all(
  [variants['as it is'], variants['everything that can be switched on']].map(async (variant = []) => {
    const args = [...variant, ...FIXED];
    return { args, objects: await toTexts(args) };
  }),
);

/** Renders objects as text, by kind and name. */
async function toTexts(args: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const objects = await renderChart(tools, args);
  return new Map(objects.map((object) => [nameOf(object), JSON.stringify(object)]));
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${metadata.labels?.[COMPONENT]} ${kind} ${metadata.name}`;
}

/** The objects that change with a value, in the first installation where some do. */
async function findChanged(path: string, others: readonly unknown[]): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  const failures: unknown[] = [];
  for (const { args, objects } of bases) {
    for (const value of others) {
      try {
        const set = await toTexts([...args, '--set-json', `${path}=${JSON.stringify(value)}`]);
        for (const name of new Set([...objects.keys(), ...set.keys()])) {
          if (objects.get(name) !== set.get(name)) changed.add(name);
        }
      } catch (error) {
        // Some values are invalid in one of the installations.
        failures.push(error);
      }
    }
    if (changed.size > 0) return changed;
  }
  if (failures.length === bases.length * others.length) throw new AggregateError(failures, `${path} cannot be set`);
  return changed;
}

const leaves = leavesOf(values, '').filter(([path]) => !/^services\.[a-z]+$/.test(path));
const ofParts = leavesOf(values['defaults'], '').flatMap(([path, value]) =>
  ['gateway', 'survey'].map((part) => ({ part, path, value })),
);

describe('every value', () => {
  it.each(leaves)('%s changes what is rendered', async (path, value) => {
    expect(await findChanged(path, othersThan(value, path))).not.toEqual(new Set());
  });
});

describe('a value of the defaults', () => {
  const onlyServices = ['secrets.internalJwks', 'secrets.encryptionKeyring', 'secrets.mongodb'];
  it.each(ofParts.filter(({ part, path }) => part !== 'gateway' || !onlyServices.includes(path)))(
    '$path of $part alone changes nothing of other parts, and rolls its pods if it is of them',
    async ({ part, path, value }) => {
      const location = part === 'gateway' ? part : `services.${part}`;
      const changed = [...(await findChanged(`${location}.${path}`, othersThan(value, path)))];
      const own = new Set([part, 'setup', 'smoke', 'admin']);
      expect(changed.filter((name) => !own.has(name.split(' ')[0] ?? ''))).toEqual([]);
      expect(changed.filter((name) => name.startsWith(`${part} `))).not.toEqual([]);
      const isOfPods = !/autoscaling|maxUnavailable|serviceAccount.annotations/.test(path);
      expect(changed.some((name) => name.startsWith(`${part} Deployment`))).toBe(isOfPods || /enabled$/.test(path));
    },
  );
});
