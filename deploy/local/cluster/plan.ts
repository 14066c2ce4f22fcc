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

/** An installed release, whose objects have a common prefix. */
export interface Target {
  readonly namespace: string;
  readonly release: string;
}

export const TRIAL_TARGET: Target = { namespace: NAMESPACE, release: RELEASE };

/** Names of all processes. Each process has its own image. */
export const processNames: readonly string[] = ['gateway', ...serviceNames];

/** Names of all images: those of the processes, and of the commands for operators. */
export const imageNames: readonly string[] = [...processNames, 'admin'];

/** Name of an image, without tag. */
export function imageOf(name: string): string {
  return `survey-${name}`;
}

/** Default of the base image, as in the Dockerfile. */
export const BASE = 'node:24-bookworm-slim';

/** Prints the digest of an image in its registry. */
export function inspectImage(image: string): Command {
  return { command: 'docker', args: ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image] };
}

/**
 * Throws a message that says which Docker is needed, if there is another one.
 *
 * @param capture runs a command and returns its output
 */
export async function requireDocker(capture: (step: Command) => Promise<string>): Promise<void> {
  const checks = [
    [['buildx', 'version'], 'its plugin buildx (Debian: docker-buildx)'],
    [['version', '--format', '{{.Server.Version}}'], 'a running engine'],
  ] as const;
  for (const [args, part] of checks) {
    await capture({ command: 'docker', args: [...args] }).catch((cause: unknown) => {
      throw new Error(`building images needs Docker 23 or later with BuildKit, and ${part}`, { cause });
    });
  }
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

/** Builds an image. Run it in the root of the repository, like all commands here. */
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

/** @param manifests an object of Kubernetes, or a List */
export function applyManifests(manifests: object): Command {
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

/** Prefix of the names of all objects of a release, as the chart builds it. */
export function prefixOf({ release }: Target): string {
  return (release.includes('survey') ? release : `${release}-survey`).slice(0, 40).replace(/-$/, '');
}

export function forwardGateway(target: Target = TRIAL_TARGET): Command {
  // The port of the Service is a value of the chart; its name is not.
  return forward(target, `${prefixOf(target)}-gateway`, GATEWAY_PORT, 'http');
}

/** Name of the headless Service of a process. As a host name, it resolves to the addresses of the pods. */
export function hostOfPods(name: string, target: Target = TRIAL_TARGET): string {
  return `${prefixOf(target)}-${name}-pods`;
}

/** Forwards a port of one pod of a process. */
export function forwardPod(name: string, port: 'grpc' | 'admin', localPort: number, target: Target): Command {
  return forward(target, hostOfPods(name, target), localPort, port);
}

function forward({ namespace }: Target, service: string, localPort: number, port: string): Command {
  const args = ['--namespace', namespace, 'port-forward', `service/${service}`, `${localPort}:${port}`];
  return { command: 'kubectl', args };
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
