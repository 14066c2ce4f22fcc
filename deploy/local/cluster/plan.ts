import { serviceNames } from '../stack/services.ts';

/** A command, and its standard input. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

interface BuildOptions {
  /**
   * Registry and path to push the image to, with its SBOM and provenance. If undefined, docker only loads the image on
   * this machine.
   */
  readonly pushTo?: string | undefined;
  /** Base image with Node 24 and npm. A release pins its digest. */
  readonly base?: string | undefined;
  readonly npmrc?: string | undefined;
  readonly network?: string | undefined;
}

/** skaffold.yaml has the same names: a test compares them. */
export const NAMESPACE = 'survey';
export const RELEASE = 'survey';
export const CHART = 'helm';
const VALUES = 'helm/examples/laptop.yaml';
const TRIAL = 'deploy/trial';
export const DOCKERFILE = 'deploy/Dockerfile';
export const GATEWAY_PORT = 8080;

/** Names of all processes. Each process has its own image. */
export const processNames: readonly string[] = ['gateway', ...serviceNames];

/** Name of the image of a process, without tag. */
export function imageOf(name: string): string {
  return `survey-${name}`;
}

/** Default of the base image, as in the Dockerfile. */
export const BASE = 'node:24-bookworm-slim';

/** Prints the digest of an image in its registry. */
export function inspectImage(image: string): Command {
  return { command: 'docker', args: ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image] };
}

/** Whether an image is named by its digest, so that its content cannot change. */
export function isPinned(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(image);
}

/**
 * The base image with its digest: the given one, or the current one in the registry.
 *
 * @param inspect runs a command and returns its output
 */
export async function pinBase(base: string, inspect: (step: Command) => Promise<string>): Promise<string> {
  if (isPinned(base)) return base;
  const pinned = `${base}@${(await inspect(inspectImage(base))).trim()}`;
  if (!isPinned(pinned)) throw new Error(`the registry returned no digest of ${base}`);
  return pinned;
}

/** Builds the image of a process. Run it in the root of the repository, like all commands here. */
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

/** @param manifests the Secrets that the chart reads, and their namespace */
export function applySecrets(manifests: object): Command {
  return { command: 'kubectl', args: ['apply', '--filename', '-'], input: JSON.stringify(manifests) };
}

/** Installs MongoDB and Kafka for a trial. */
export function applyTrial(): Command {
  return { command: 'kubectl', args: ['--namespace', NAMESPACE, 'apply', '--kustomize', TRIAL] };
}

/**
 * @param buildId a value that changes with each build, so that pods restart although the image names stay the same
 * @param extraArgs additional arguments of helm
 */
export function installChart(buildId: string, extraArgs: readonly string[] = []): Command {
  return {
    command: 'helm',
    args: [
      ...['upgrade', '--install', RELEASE, CHART, '--namespace', NAMESPACE, '--values', VALUES],
      ...['--set-string', `defaults.podAnnotations.built=${buildId}`, '--wait', '--timeout', '10m'],
      ...extraArgs,
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

/** Name of the headless Service of a process. As a host name, it resolves to the addresses of the pods. */
export function hostOfPods(name: string): string {
  return `${RELEASE}-${name}-pods`;
}

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

export function toCommandLine({ command, args, env = {} }: Command): string {
  const words = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command, ...args];
  return words.map((word) => (/^[\w./:=,@-]+$/.test(word) ? word : `'${word}'`)).join(' ');
}
