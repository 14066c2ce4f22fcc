import { lookup } from 'node:dns/promises';
import { isObject } from '@survey/runtime/json/is-object';
import { checkClock } from './check-clock.ts';
import { describeError, type Finding, ok, problem, warning } from './finding.ts';

interface Process {
  readonly name: string;
  /** Base URL of the admin port. */
  readonly admin: string | undefined;
  /** Minimum number of processes that must be ready; undefined if it is not known. */
  readonly replicas?: number | undefined;
}

interface Options {
  readonly clock: () => Date;
  /** Version of this command. */
  readonly version: string;
  /** Finds the addresses of a host name. */
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

const TIMEOUT_MS = 5_000;
/** Resolution of the header `Date`. */
const DATE_PRECISION_MS = 1_000;
const SEE_PODS = 'look at its pods: "kubectl get pods", "kubectl logs"; a process logs all invalid settings and exits';

/**
 * Checks readiness, clock and version of each replica, and the number of replicas. Each address of the host name of a
 * process is a replica. In a cluster, these are the ready pods.
 */
export async function checkProcesses(processes: readonly Process[], options: Options): Promise<readonly Finding[]> {
  return (await Promise.all(processes.map((process) => checkReplicas(process, options)))).flat();
}

async function checkReplicas({ name, admin, replicas }: Process, options: Options): Promise<readonly Finding[]> {
  if (admin === undefined || replicas === 0) return [];
  try {
    const urls = await resolveAll(admin, options);
    const findings = await Promise.all(
      urls.map(async (url) => {
        const subject = urls.length === 1 ? name : `${name} at ${url}`;
        return checkReplica(subject, url, options).catch((error: unknown) => [noReply(subject, error)]);
      }),
    );
    return [...checkNumber(name, urls.length, replicas), ...findings.flat()];
  } catch (error) {
    return [noReply(name, error)];
  }
}

const noReply = (subject: string, error: unknown) =>
  problem(subject, `does not reply: ${describeError(error)}`, SEE_PODS);

function checkNumber(name: string, ready: number, wanted: number | undefined): readonly Finding[] {
  if (wanted === undefined || ready >= wanted) return [];
  return [problem(name, `only ${ready} of ${wanted} processes are ready`, SEE_PODS)];
}

const lookupAll = (host: string) => lookup(host, { all: true });

/** One URL for each address of the host. */
async function resolveAll(base: string, { resolve = lookupAll }: Options): Promise<readonly string[]> {
  const { protocol, hostname, port } = new URL(base);
  const addresses = await resolve(hostname);
  return addresses.map(({ address, family }) => `${protocol}//${family === 6 ? `[${address}]` : address}:${port}`);
}

async function checkReplica(subject: string, url: string, { clock, version }: Options): Promise<readonly Finding[]> {
  const sentAt = clock();
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const receivedAt = clock();
  const body: unknown = await response.json().catch(() => undefined);
  const remoteTime = new Date(response.headers.get('date') ?? '');
  const metrics = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return [
    checkReadiness(subject, response.ok, body),
    checkVersion(subject, await metrics.text(), version),
    ...(Number.isNaN(remoteTime.getTime())
      ? []
      : [checkClock(subject, { sentAt, receivedAt, remoteTime, precisionMs: DATE_PRECISION_MS })]),
  ];
}

function checkReadiness(subject: string, ready: boolean, body: unknown): Finding {
  const checks = isObject(body) && isObject(body['checks']) ? Object.entries(body['checks']) : [];
  const failing = checks.filter(([, passes]) => passes !== true).map(([check]) => check);
  if (!ready) return problem(subject, `is not ready${failing.length > 0 ? `: ${failing.join(', ')}` : ''}`, SEE_PODS);
  if (failing.length === 0) return ok(subject, 'is ready');
  return problem(
    subject,
    `cannot reach: ${failing.join(', ')}`,
    'see the findings about MongoDB and Kafka, and its log',
  );
}

function checkVersion(subject: string, metrics: string, version: string): Finding {
  const [, theirs] = /^build_info\{[^}]*\bversion="([^"]*)"/m.exec(metrics) ?? [];
  if (theirs === version) return ok(subject, `version ${theirs}`);
  if (theirs === undefined) return warning(subject, 'reports no version', `upgrade it to ${version}`);
  const remedy = `finish the upgrade or the rollback, or use the image survey-admin:${theirs}`;
  return problem(subject, `version ${theirs}, but this command has version ${version}`, remedy);
}
