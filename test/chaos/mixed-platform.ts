import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { download } from '@survey/local/infra/cache';
import type { Host } from '@survey/local/process/host';
import { runCommand } from '@survey/local/process/run-command';
import { toPaths } from '@survey/local/stack/folder';
import { ensureKeys } from '@survey/local/stack/keys';
import { planProcesses, type Variables } from '@survey/local/stack/plan-processes';
import { serviceNames } from '@survey/local/stack/services';
import { startInfra } from '@survey/local/stack/start-infra';
import { type RunningProcesses, startProcesses } from '@survey/local/stack/start-processes';
import manifest from '../../package.json' with { type: 'json' };
import { type RoundRobin, startRoundRobin } from '../support/faults/round-robin.ts';
import { root } from '../support/run-step.ts';
import { SHORT_WAITS } from '../support/stack.ts';

/** All processes of one release. */
export interface RunningRelease {
  readonly stop: () => Promise<void>;
  /** Local ports by name of the balancer. */
  readonly ports: Readonly<Record<string, number>>;
}

/** A platform whose processes can come from several releases, which share databases, Kafka and callers. */
export interface MixedPlatform {
  /** Address of the gateways of all releases. */
  readonly gateway: string;
  /** Address of gRPC of identity. */
  readonly identityAddress: string;
  readonly keysFolder: string;
  /** Starts all processes of a release in addition to the running ones. No calls reach them until `spreadOver`. */
  start(name: string, root: string, options: { readonly setup: boolean }): Promise<RunningRelease>;
  /** Distributes new connections of clients and between processes over these releases, like Services of Kubernetes. */
  spreadOver(...releases: readonly RunningRelease[]): void;
  close(): Promise<void>;
}

const FIRST_GATEWAY_PORT = 8280;

export async function startMixedPlatform(host: Host): Promise<MixedPlatform> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'survey-releases-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const paths = toPaths(folder);
  const keys = await ensureKeys(paths.keys);
  const quiet = { log: () => {}, onRestarted: () => {} };
  const infra = await startInfra({ paths, host, ...quiet });
  cleanup.defer(infra.stop);
  const balancers = new Map<string, RoundRobin>();
  for (const name of ['gateway', ...serviceNames.flatMap((service) => [service, `${service} gRPC`])]) {
    const balancer = await startRoundRobin();
    cleanup.defer(balancer.close);
    balancers.set(name, balancer);
  }
  const urlOf = (name: string) => balancers.get(name)?.url ?? '';
  const addressOf = (name: string) => new URL(urlOf(`${name} gRPC`)).host;
  const shared: Variables = Object.fromEntries(
    serviceNames.flatMap((name) => [
      [`${name.toUpperCase()}_URL`, urlOf(name)],
      [`${name.toUpperCase()}_GRPC_ADDRESS`, addressOf(name)],
    ]),
  );
  const owned = cleanup.move();
  return {
    gateway: urlOf('gateway'),
    identityAddress: addressOf('identity'),
    keysFolder: paths.keys,
    async start(name, root, { setup }) {
      const context = { mongodbUri: infra.mongo().uri, kafkaBrokers: infra.kafka().brokers, keys };
      const plan = await planProcesses(host.ports, await host.ports.claim(FIRST_GATEWAY_PORT), context);
      // Earlier releases know no wildcards for ports.
      const env = { ...SHORT_WAITS, SETUP_ON_START: String(setup), CORS_ORIGINS: '*' };
      const adjust = <P extends { readonly env: Variables }>(process: P): P => ({
        ...process,
        env: { ...process.env, ...shared, ...env },
      });
      const adjusted = { ...plan, gateway: adjust(plan.gateway), services: plan.services.map(adjust) };
      const running = await startProcesses(adjusted, { paths: toPaths(join(folder, name)), env, host, root, ...quiet });
      return { stop: running.stop, ports: toPorts(running) };
    },
    spreadOver(...releases) {
      for (const [name, balancer] of balancers) balancer.spreadOver(releases.flatMap(({ ports }) => ports[name] ?? []));
    },
    close: () => owned.disposeAsync(),
  };
}

function toPorts(running: RunningProcesses): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(running.info()).flatMap(([name, { http, grpc }]) => [
      [name, Number(new URL(http).port)],
      ...(grpc === undefined ? [] : [[`${name} gRPC`, Number(grpc.split(':')[1])]]),
    ]),
  );
}

/** The code of an earlier release, with its packages. */
interface Release {
  /** Tag or commit. */
  readonly name: string;
  readonly folder: string;
}

/**
 * Checks out the latest release before this commit, and installs its packages. The result stays in the cache folder.
 * The release is the last tag `v…`, or, without tags, the commit that set the current version. Throws in a shallow
 * clone.
 */
export async function checkOutPreviousRelease({ reaper }: Host): Promise<Release> {
  const name = await findRelease();
  const folder = await download({
    name: `release-${name}`,
    log: (line) => process.stderr.write(`${line}\n`),
    async fetch(into) {
      await runCommand('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', name, into], { reaper, cwd: root });
      await alignVersions(into);
      const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
      await runCommand('npm', install, { reaper, cwd: into });
    },
  });
  return { name, folder };
}

async function findRelease(): Promise<string> {
  const tag = await git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^').catch(() => '');
  if (tag !== '') return tag;
  const version = `"version": "${manifest.version}"`;
  const commits = await git('log', '--format=%H', `-S${version}`, '--', 'package.json');
  const commit = commits.split('\n').at(-1) ?? '';
  if (commit === '') throw new Error('the history has no release: fetch all commits and tags, not a shallow clone');
  return commit;
}

async function git(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
}

/** Corrects the versions of our own packages: those of 0.2.0 require 0.1.0 of each other, which npm would look up. */
async function alignVersions(folder: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((path) => /(?:^|\/)package(?:-lock)?\.json$/.test(path))) {
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(/("@survey\/[a-z-]+": )"\d[^"]*"/g, `$1"${version}"`));
  }
}
