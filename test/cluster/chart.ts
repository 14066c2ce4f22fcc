import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, installChart, NAMESPACE, RELEASE } from '@survey/local/cluster/plan';
import { LOOPBACK } from '@survey/local/stack/services';
import { CERTIFICATES } from './certificates.ts';
import { run } from './commands.ts';

/** What differs between the installations of a run. */
export interface Installation {
  /** Annotation of the pods: another one rolls them. */
  readonly built: string;
  /** Pods of the response service: so many, or as the cluster sees fit by the CPU that they use. */
  readonly responses: number | 'by CPU';
  /** How long a pod that was told to stop goes on serving, unless it is as long as usual. Seconds. */
  readonly drainSeconds?: number;
  /** Whether the parts speak TLS with each other, with the Secret of `certificates.ts`. */
  readonly tls?: boolean;
}

const fileOf = (folder: string) => join(folder, 'values.json');

/**
 * Writes the values of the tests: two pods of each part, and what the stack of `npm start` lets tests do.
 * @param address where receivers of webhooks listen
 */
export async function writeValues(folder: string, address: string): Promise<void> {
  const values = {
    defaults: { replicas: 2, env: { TENANT_ERASURE_SETTLE_SECONDS: '2' } },
    services: {
      // On their way to a Service, the requests of tests may get another address.
      response: { env: { PUBLIC_UNLIMITED_RANGES: '0.0.0.0/0' } },
      webhook: {
        env: {
          WEBHOOK_ALLOW_HTTP: 'true',
          WEBHOOK_ALLOWED_RANGES: `${LOOPBACK},${address}/32`,
          WEBHOOK_ALLOWED_PORTS: '*',
          WEBHOOK_TIMEOUT_MS: '5000',
        },
      },
    },
    networkPolicy: { outside: { receivers: [{}] } },
  };
  await writeFile(fileOf(folder), JSON.stringify(values));
}

/** Installs or upgrades the chart, and resolves when its pods are ready. */
export async function install(folder: string, installation: Installation): Promise<void> {
  const { built, responses, drainSeconds, tls = false } = installation;
  const scale =
    responses === 'by CPU' ? 'autoscaling={"enabled":true,"minReplicas":1,"maxReplicas":3}' : `replicas=${responses}`;
  const more = [
    ...(drainSeconds === undefined ? [] : ['--set', `defaults.drainSeconds=${drainSeconds}`]),
    ...(tls ? ['--set', `tlsSecret=${CERTIFICATES}`] : []),
  ];
  await run(installChart(built, ['--values', fileOf(folder), '--set-json', `services.response.${scale}`, ...more]));
}

/** Goes back to what was installed before. */
export async function rollBack(): Promise<void> {
  await run(rollback);
}

const rollback: Command = {
  command: 'helm',
  args: ['rollback', RELEASE, '--namespace', NAMESPACE, '--wait', '--timeout', '10m'],
};
