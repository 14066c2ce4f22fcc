// Commands to install, reach and remove the platform. They are run in the root of the repository.
import type { Command } from './command.ts';
import { CHART, hostOfPods, NAMESPACE, prefixOf, RELEASE, type Target, TRIAL_TARGET } from './names.ts';

const VALUES = 'helm/examples/laptop.yaml';
const TRIAL = 'deploy/trial';
export const GATEWAY_PORT = 8080;

/**
 * The command that creates or changes objects.
 *
 * @param manifests an object of Kubernetes, or a List
 */
export function applyManifests(manifests: object): Command {
  return { command: 'kubectl', args: ['apply', '--filename', '-'], input: JSON.stringify(manifests) };
}

/** The command that installs MongoDB and Kafka for a trial. */
export function applyTrial(): Command {
  return { command: 'kubectl', args: ['--namespace', NAMESPACE, 'apply', '--kustomize', TRIAL] };
}

/**
 * The command that installs or upgrades the platform.
 *
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

/** The command that runs the tests of the chart. */
export function testChart(): Command {
  return { command: 'helm', args: ['test', RELEASE, '--namespace', NAMESPACE, '--logs'] };
}

/** The command that forwards the port of the gateway. */
export function forwardGateway(target: Target = TRIAL_TARGET): Command {
  // Uses the name of the port, because the values of the chart can change its number.
  return forward(target, `${prefixOf(target)}-gateway`, GATEWAY_PORT, 'http');
}

/** The command that forwards a port of one pod of a process. */
export function forwardPod(name: string, port: 'grpc' | 'admin', localPort: number, target: Target): Command {
  return forward(target, hostOfPods(name, target), localPort, port);
}

function forward({ namespace }: Target, service: string, localPort: number, port: string): Command {
  const args = ['--namespace', namespace, 'port-forward', `service/${service}`, `${localPort}:${port}`];
  return { command: 'kubectl', args };
}

/** The command that prints the namespace of the platform, or nothing if there is none. */
export function findNamespace(): Command {
  return { command: 'kubectl', args: ['get', 'namespace', NAMESPACE, '--ignore-not-found', '--output', 'json'] };
}

/** The commands that remove the platform and all its data. */
export function removeAll(): readonly Command[] {
  return [
    { command: 'helm', args: ['uninstall', RELEASE, '--namespace', NAMESPACE, '--ignore-not-found', '--wait'] },
    { command: 'kubectl', args: ['delete', 'namespace', NAMESPACE, '--ignore-not-found'] },
  ];
}
