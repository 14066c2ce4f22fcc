import { poll } from '@survey/runtime/testing/poll';
import type { Figure } from '../bench-report.ts';
import { watchGrowth } from '../memory-growth.ts';
import { openFiles } from '../open-files.ts';
import { type Client, createBadClients, runRepeatedly } from './bad-clients.ts';
import type { Hop } from './hops.ts';
import type { Requests } from './requests.ts';

const OF_EACH = 4;
/** Longer than the gateway keeps upstream connections. */
const TIMEOUT_MS = 60_000;
/** Connections of the gateway itself, for example to identity, vary. */
const MOST_LEFT = 4;

/** Runs bad clients for minutes, and measures leaked sockets and memory of the gateway. */
export async function measureBadClients(
  { origin, pid }: Hop,
  requests: Requests,
  minutes: number,
): Promise<readonly Figure[]> {
  const name = `${minutes} minutes of bad clients`;
  const filesBefore = await openFiles(pid);
  const end = performance.now() + minutes * 60_000;
  const surprises: unknown[] = [];
  const use = (client: Client) =>
    runRepeatedly(client, { origin, isOver: () => performance.now() > end, onError: (error) => surprises.push(error) });
  const clients = createBadClients(requests).flatMap((client) => Array<Client>(OF_EACH).fill(client));
  const pids = new Map([['gateway', pid]]);
  const { outcome, figures } = await watchGrowth(name, pids, () => Promise.all(clients.map(use)));
  if (surprises.length > 0) console.error('surprises', surprises.slice(0, 10));
  const left = await socketsLeft(pid, filesBefore);
  return [
    { name: `${name}: connections`, value: outcome.reduce((sum, count) => sum + count, 0), unit: 'connections' },
    {
      name: `${name}: missing or unexpected replies`,
      value: surprises.length,
      unit: 'replies',
      atMost: 0,
    },
    ...figures,
    { name: `${name}: sockets left`, value: left, unit: 'sockets', atMost: MOST_LEFT },
  ];
}

/** The number of additional sockets after kept connections are closed. */
async function socketsLeft(pid: number, filesBefore: number): Promise<number> {
  const isAsBefore = async () => (await openFiles(pid)) <= filesBefore;
  await poll(isAsBefore, { timeoutMs: TIMEOUT_MS, intervalMs: 1_000 }).catch(() => undefined);
  return Math.max(0, (await openFiles(pid)) - filesBefore);
}
