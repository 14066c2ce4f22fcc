import { serviceNames } from '../stack/services.ts';

/** A command, and what it reads from its standard input. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** How images are built. */
interface BuildOptions {
  /** Registry and path that the image is pushed to, with its SBOM and provenance. It is loaded into docker otherwise. */
  readonly pushTo?: string | undefined;
  /** Base image with Node 24 and npm. A release names its digest. */
  readonly base?: string | undefined;
  /** File that npm is configured by. */
  readonly npmrc?: string | undefined;
  readonly network?: string | undefined;
}

/** Names that skaffold.yaml has too: a test compares them. */
export const NAMESPACE = 'survey';
export const RELEASE = 'survey';
export const CHART = 'helm';
const VALUES = 'helm/examples/laptop.yaml';
const TRIAL = 'deploy/trial';
export const DOCKERFILE = 'deploy/Dockerfile';
export const GATEWAY_PORT = 8080;

/** Every process that has an image. */
export const processNames: readonly string[] = ['gateway', ...serviceNames];

/** Name of the image of a process, without its tag. */
export function imageOf(name: string): string {
  return `survey-${name}`;
}

/** The base image where none is named: what the Dockerfile uses by default. */
export const BASE = 'node:24-bookworm-slim';

/** Prints the digest that the registry has for an image. */
export function inspectImage(image: string): Command {
  return { command: 'docker', args: ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image] };
}

/** Whether an image is named by its content, so that nobody can exchange it. */
export function isPinned(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(image);
}

/**
 * The base image with its digest: as it is named, or else as the registry has it.
 *
 * @param inspect runs a command and gives what it prints
 */
export async function pinBase(base: string, inspect: (step: Command) => Promise<string>): Promise<string> {
  if (isPinned(base)) return base;
  const pinned = `${base}@${(await inspect(inspectImage(base))).trim()}`;
  if (!isPinned(pinned)) throw new Error(`the registry gives no digest of ${base}`);
  return pinned;
}

/** Builds the image of a process; from the root of the repository, like all of these. */
export function buildImage(name: string, tag: string, { base, npmrc, network, pushTo }: BuildOptions): Command {
  const image = `${imageOf(name)}:${tag}`;
  return {
    command: 'docker',
    env: { DOCKER_BUILDKIT: '1' },
    args: [
      ...(pushTo === undefined ? ['build'] : ['buildx', 'build', '--push', '--sbom=true', '--provenance=mode=max']),
      ...['--file', DOCKERFILE, '--build-arg', `SERVICE=${name}`],
      ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]),
      ...(npmrc === undefined ? [] : ['--secret', `id=npmrc,src=${npmrc}`]),
      ...(network === undefined ? [] : ['--network', network]),
      ...['--tag', pushTo === undefined ? image : `${pushTo}/${image}`, '.'],
    ],
  };
}

/** @param manifests the Secrets that the chart reads, with their namespace */
export function applySecrets(manifests: object): Command {
  return { command: 'kubectl', args: ['apply', '--filename', '-'], input: JSON.stringify(manifests) };
}

/** MongoDB and Kafka for a trial. */
export function applyTrial(): Command {
  return { command: 'kubectl', args: ['--namespace', NAMESPACE, 'apply', '--kustomize', TRIAL] };
}

/**
 * @param built what tells this build from the one before, whose images have the same names: pods are made anew
 * @param more further arguments of helm
 */
export function installChart(built: string, more: readonly string[] = []): Command {
  return {
    command: 'helm',
    args: [
      ...['upgrade', '--install', RELEASE, CHART, '--namespace', NAMESPACE, '--values', VALUES],
      ...['--set-string', `defaults.podAnnotations.built=${built}`, '--wait', '--timeout', '10m'],
      ...more,
    ],
  };
}

export function testChart(): Command {
  return { command: 'helm', args: ['test', RELEASE, '--namespace', NAMESPACE, '--logs'] };
}

export function forwardGateway(): Command {
  const service = `service/${RELEASE}-gateway`;
  return { command: 'kubectl', args: ['--namespace', NAMESPACE, 'port-forward', service, `${GATEWAY_PORT}:80`] };
}

/** The headless Service of a process: its pods are called by this name. */
export function hostOfPods(name: string): string {
  return `${RELEASE}-${name}-pods`;
}

/** The gRPC of a service, for operators. */
export function forwardGrpc(name: string, localPort: number): Command {
  const service = `service/${hostOfPods(name)}`;
  return { command: 'kubectl', args: ['--namespace', NAMESPACE, 'port-forward', service, `${localPort}:grpc`] };
}

export function removeAll(): readonly Command[] {
  return [
    { command: 'helm', args: ['uninstall', RELEASE, '--namespace', NAMESPACE, '--ignore-not-found', '--wait'] },
    { command: 'kubectl', args: ['delete', 'namespace', NAMESPACE, '--ignore-not-found'] },
  ];
}

/** As one would type it. */
export function toLine({ command, args, env = {} }: Command): string {
  const words = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command, ...args];
  return words.map((word) => (/^[\w./:=,@-]+$/.test(word) ? word : `'${word}'`)).join(' ');
}
