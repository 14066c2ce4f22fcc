import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHART, NAMESPACE, processNames, RELEASE } from '@survey/tools/cluster/names';
import { CERTIFICATES } from './certificates.ts';
import { fileOf } from './chart.ts';
import { apply, kubectl, run } from './commands.ts';

const EXAMPLE = 'helm/examples/production.yaml';
const METRICS_SECRET = 'survey-metrics-token';
/** The Secret that each Secret of the example is a copy of; {name} is the process. */
const ORIGINALS: Readonly<Record<string, string>> = {
  'survey-keyring-{name}': 'survey-encryption-keyring',
  'survey-mongodb-{name}': 'survey-mongodb',
  'survey-tls-{name}': CERTIFICATES,
};
const SMALL = { requests: { cpu: '20m', memory: '96Mi' } };
const allow = (name: string, port: number) => [
  { to: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } }], ports: [{ port, protocol: 'TCP' }] },
];

/** Values in place of those that need a registry, an identity provider, a Kafka with TLS, or custom resources. */
const REPLACEMENTS = {
  image: { registry: '' },
  imagePullSecrets: [],
  kafka: {
    brokers: 'kafka:9092',
    topics: { partitions: 3, replication: 1 },
    tls: { enabled: false, secret: '' },
    sasl: { mechanism: 'none', username: '', secret: '' },
  },
  defaults: { resources: SMALL },
  gateway: {
    resources: SMALL,
    env: { JWT_JWKS_URL: null },
    secrets: { issuers: 'survey-issuers', metricsToken: METRICS_SECRET },
  },
  // The receiver of the tests can be in a range that the example refuses.
  services: { response: { resources: SMALL }, webhook: { env: { WEBHOOK_REFUSED_RANGES: null } } },
  httpRoute: { enabled: false },
  networkPolicy: { clients: [], outside: { mongodb: allow('mongodb', 27_017), kafka: allow('kafka', 9092) } },
  serviceMonitor: { enabled: false },
  prometheusRule: { enabled: false },
};

/** Writes the replacements, and returns arguments of helm for the example with the values that `writeValues` wrote. */
export async function productionArguments(folder: string): Promise<readonly string[]> {
  const file = join(folder, 'production.json');
  await writeFile(file, JSON.stringify(REPLACEMENTS));
  return [EXAMPLE, fileOf(folder), file].flatMap((path) => ['--values', path]);
}

/**
 * Creates the Secrets of the example and upgrades the release to it. Resolves with the token for metrics when its pods
 * are ready.
 */
export async function installProduction(folder: string): Promise<string> {
  const token = randomUUID();
  const copies = Object.entries(ORIGINALS).map(async ([name, original]) => {
    const { data } = JSON.parse(await kubectl(['get', 'secret', original, '--output', 'json']));
    return processNames.map((process) => toSecret(name.replace('{name}', process), { data }));
  });
  await apply([...(await Promise.all(copies)).flat(), toSecret(METRICS_SECRET, { stringData: { token } })]);
  const values = await productionArguments(folder);
  const args = ['upgrade', RELEASE, CHART, '--namespace', NAMESPACE, ...values, '--wait', '--timeout', '10m'];
  await run({ command: 'helm', args });
  return token;
}

function toSecret(name: string, content: object): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...content };
}
