import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gatewayEnv, LOOPBACK, services } from '@survey/local/stack/services';
import { installChart } from '@survey/tools/cluster/chart-commands';
import type { Command } from '@survey/tools/cluster/command';
import { NAMESPACE, RELEASE } from '@survey/tools/cluster/names';
import { CERTIFICATES } from './certificates.ts';
import { run } from './commands.ts';

/** The settings that differ between installations. */
export interface Installation {
  /** An annotation of the pods; changing it restarts them. */
  readonly built: string;
  /** Number of pods of the response service, or autoscaling by CPU. */
  readonly responses: number | 'by CPU';
  /** Seconds during which a terminating pod still serves; by default as in the chart. */
  readonly drainSeconds?: number;
  /** Whether processes use TLS between each other, with the Secret of `certificates.ts`. */
  readonly tls?: boolean;
}

/** Requests can get another source address on the way to a Service. */
const ALL_ADDRESSES = '0.0.0.0/0';

/** The file that `writeValues` writes. */
export const fileOf = (folder: string): string => join(folder, 'values.json');

/**
 * Writes the chart values for tests: two pods per process, and the same settings as `npm start`.
 *
 * @param address where webhook receivers listen
 */
export async function writeValues(folder: string, address: string): Promise<void> {
  const values = {
    defaults: { replicas: 2, env: { TENANT_ERASURE_SETTLE_SECONDS: '2' } },
    // Without a token, `METRICS_PAGE` of `gatewayEnv` shows the metrics.
    gateway: { env: { ...gatewayEnv, CLIENT_UNLIMITED_RANGES: ALL_ADDRESSES }, secrets: { metricsToken: '' } },
    services: {
      response: { env: { PUBLIC_UNLIMITED_RANGES: ALL_ADDRESSES } },
      webhook: {
        env: {
          ...services.webhook.env,
          WEBHOOK_ALLOWED_RANGES: `${LOOPBACK},${address}/32`,
          WEBHOOK_TIMEOUT_MS: '5000',
        },
      },
    },
    networkPolicy: { outside: { receivers: [{ to: [{ ipBlock: { cidr: ALL_ADDRESSES } }] }] } },
  };
  await writeFile(fileOf(folder), JSON.stringify(values));
}

/** Arguments of helm for the values that `writeValues` wrote, and the settings of this installation. */
export function valuesArguments(folder: string, installation: Installation): readonly string[] {
  const { responses, drainSeconds, tls = false } = installation;
  const scale =
    responses === 'by CPU' ? 'autoscaling={"enabled":true,"minReplicas":1,"maxReplicas":3}' : `replicas=${responses}`;
  return [
    ...['--values', fileOf(folder), '--set-json', `services.response.${scale}`],
    ...(drainSeconds === undefined ? [] : ['--set', `defaults.drainSeconds=${drainSeconds}`]),
    ...(tls ? ['--set', `tlsSecret=${CERTIFICATES}`] : []),
  ];
}

/** Installs or upgrades the chart. Resolves when its pods are ready. */
export async function install(folder: string, installation: Installation): Promise<void> {
  await run(installChart(installation.built, valuesArguments(folder, installation)));
}

/** Rolls back to the previous installation. */
export async function rollBack(): Promise<void> {
  await run(rollback);
}

const rollback: Command = {
  command: 'helm',
  args: ['rollback', RELEASE, '--namespace', NAMESPACE, '--wait', '--timeout', '10m'],
};
