import { serviceNames } from '@survey/local/stack/services';

/** skaffold.yaml has the same names: a test compares them. */
export const NAMESPACE = 'survey';
export const RELEASE = 'survey';
/** Label of the namespace of a trial: `npm run cluster` changes and deletes no other one. */
export const TRIAL_LABEL = { name: 'app.kubernetes.io/part-of', value: 'survey-trial' };
export const CHART = 'helm';
export const DOCKERFILE = 'deploy/Dockerfile';

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

/** Prefix of the names of all objects of a release, as the chart builds it. */
export function prefixOf({ release }: Target): string {
  return (release.includes('survey') ? release : `${release}-survey`).slice(0, 40).replace(/-$/, '');
}

/** Name of the headless Service of a process. As a host name, it resolves to the addresses of the pods. */
export function hostOfPods(name: string, target: Target = TRIAL_TARGET): string {
  return `${prefixOf(target)}-${name}-pods`;
}
