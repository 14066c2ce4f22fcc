import { hostname } from 'node:os';
import { ApiError, type Client } from '@survey/client';

const PREFIX = 'Temporary webhook of "survey webhooks listen" on';

/** The process that a temporary webhook belongs to. */
export interface Listener {
  readonly host: string;
  readonly pid: number;
}

export function thisListener(): Listener {
  return { host: hostname(), pid: process.pid };
}

/** The description of a temporary webhook, which names its process. */
export function describeListener({ host, pid }: Listener): string {
  return `${PREFIX} ${host}, process ${pid}`;
}

/** Returns the process that a description names; undefined for other webhooks. */
export function readListener(description: string): Listener | undefined {
  const [, host, pid] = /^(\S+), process (\d{1,10})$/.exec(description.slice(PREFIX.length + 1)) ?? [];
  if (!description.startsWith(`${PREFIX} `) || host === undefined) return undefined;
  return { host, pid: Number(pid) };
}

/**
 * Deletes the temporary webhooks of processes of this machine that were killed before they could delete them. Returns
 * their ids.
 */
export async function deleteAbandonedWebhooks(
  { webhooks }: Pick<Client, 'webhooks'>,
  self: Listener,
  isAlive: (pid: number) => boolean = isProcess,
): Promise<readonly string[]> {
  const abandoned: string[] = [];
  for await (const { id, description = '' } of webhooks.list()) {
    const listener = readListener(description);
    // This process has no webhook yet. A webhook with its pid is left from an earlier process with the same pid.
    if (listener?.host === self.host && (listener.pid === self.pid || !isAlive(listener.pid))) abandoned.push(id);
  }
  for (const id of abandoned) {
    await webhooks.delete(id).catch((error: unknown) => {
      // Another process has just deleted it.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    });
  }
  return abandoned;
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
