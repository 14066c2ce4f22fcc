import { poll } from '@survey/runtime/testing/poll';
import { NAMESPACE, processNames, RELEASE } from '@survey/tools/cluster/names';
import { kubectl, list } from './commands.ts';

/** The members of a pod that tests use. */
export interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly nodeName: string;
    readonly containers: readonly {
      readonly name: string;
      readonly resources: {
        readonly requests?: Readonly<Record<string, string>>;
        readonly limits?: Readonly<Record<string, string>>;
      };
    }[];
  };
  readonly status: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A label selector. */
type Selector = string;

const POLL_OPTIONS = { timeoutMs: 240_000 };

/** Selects the pods of a process, or of all processes. */
export function podsOf(processName?: string): Selector {
  const components = processName ?? `(${processNames.join(',')})`;
  const operator = processName === undefined ? ' in ' : '=';
  return `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component${operator}${components}`;
}

/** Selects the pod of the trial's MongoDB or Kafka. */
export function trialPodOf(name: 'mongodb' | 'kafka'): Selector {
  return `app.kubernetes.io/name=${name}`;
}

/** Lists pods that are not terminating. */
export async function listPods(selector: Selector): Promise<readonly Pod[]> {
  const pods = await list<Pod>('pods', '--selector', selector);
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Runs work that removes pods. Resolves when as many new pods are ready. */
export async function untilReplaced(
  selector: Selector,
  pods: readonly Pod[],
  removePods: () => Promise<unknown>,
): Promise<void> {
  const before = await listPods(selector);
  await removePods();
  const gone = new Set(pods.map(({ metadata }) => metadata.uid));
  await poll(async () => {
    const now = await listPods(selector);
    return now.length === before.length && now.every((pod) => isReady(pod) && !gone.has(pod.metadata.uid));
  }, POLL_OPTIONS);
}

/** Evicts a pod, like a drain of its node, and retries while a PodDisruptionBudget forbids it. */
export async function evict({ metadata: { name } }: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
  await poll(() => kubectl(['create', '--raw', path, '--filename', '-'], eviction), POLL_OPTIONS);
}

/** Deletes a pod without a grace period, like a crash. */
export async function kill({ metadata: { name } }: Pod): Promise<void> {
  await kubectl(['delete', 'pod', name, '--grace-period=0', '--force']);
}

export async function restart({ metadata: { name } }: Pod): Promise<void> {
  await kubectl(['delete', 'pod', name]);
}

function isReady({ status: { conditions = [] } }: Pod): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
