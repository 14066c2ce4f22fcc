import { NAMESPACE, processNames, RELEASE } from '@survey/local/cluster/plan';
import { poll } from '@survey/runtime/testing/poll';
import { kubectl, list } from './commands.ts';

/** What the tests read of a pod. */
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

/** What pods are found by. */
type Selector = string;

const PATIENCE = { timeoutMs: 240_000, everyMs: 1_000 };

/** Pods of a part of the platform, or of all parts. */
export function podsOf(part?: string): Selector {
  const components = part ?? `(${processNames.join(',')})`;
  const operator = part === undefined ? ' in ' : '=';
  return `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component${operator}${components}`;
}

/** The pod of the trial's MongoDB or Kafka. */
export function trialPodOf(name: 'mongodb' | 'kafka'): Selector {
  return `app.kubernetes.io/name=${name}`;
}

/** Those that are not on their way out. */
export async function listPods(selector: Selector): Promise<readonly Pod[]> {
  const pods = await list<Pod>('pods', '--selector', selector);
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Does something that takes pods away; resolves when there are as many others in their place, and all are ready. */
export async function untilReplaced(
  selector: Selector,
  pods: readonly Pod[],
  takeAway: () => Promise<unknown>,
): Promise<void> {
  const before = await listPods(selector);
  await takeAway();
  const gone = new Set(pods.map(({ metadata }) => metadata.uid));
  await poll(async () => {
    const now = await listPods(selector);
    return now.length === before.length && now.every((pod) => isReady(pod) && !gone.has(pod.metadata.uid));
  }, PATIENCE);
}

/** Asks for the pod to go, as a drain of its node does: again and again while a PodDisruptionBudget forbids it. */
export async function evict({ metadata: { name } }: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
  await poll(() => kubectl(['create', '--raw', path, '--filename', '-'], eviction), PATIENCE);
}

/** As when a process is lost: nothing is waited for. */
export async function kill({ metadata: { name } }: Pod): Promise<void> {
  await kubectl(['delete', 'pod', name, '--grace-period=0', '--force']);
}

export async function restart({ metadata: { name } }: Pod): Promise<void> {
  await kubectl(['delete', 'pod', name]);
}

function isReady({ status: { conditions = [] } }: Pod): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
