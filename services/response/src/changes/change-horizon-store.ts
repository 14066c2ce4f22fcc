import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import type { ClientSession, Collection, MongoClient, Timestamp } from 'mongodb';
import { SET_CHANGED } from '../responses/response-document-store.ts';

/** The only document of its collection. Each update of it gets a new cluster time. */
export interface ChangeHorizonDocument {
  readonly _id: 'responses';
  readonly changed: Timestamp;
}

/** A horizon: the cluster time up to which the change feed can be read, and the sessions in which to read it. */
export interface ChangeHorizon {
  /**
   * Cluster time. Every write with an earlier stamp has ended: it is readable in sessions of `startSession`, or will
   * never be stored.
   */
  readonly at: bigint;
  /** Starts a session that reads all these writes. The caller ends the session. */
  startSession(): ClientSession;
}

interface Dependencies {
  readonly client: MongoClient;
  readonly horizons: Collection<ChangeHorizonDocument>;
  /** Database and name of the collection with the stamped documents. */
  readonly namespace: string;
  /** Maximum wait for running writes, in milliseconds. */
  readonly maxWaitMs?: number;
}

const POLL_MS = 5;
const MAX_TIME = { maxTimeMS: 5_000 } as const;

/** Identifies a running write, or an open transaction. */
interface RunningWrite {
  readonly opid?: number | string;
  readonly lsid?: { readonly id: { toString(encoding: 'hex'): string } };
  readonly transaction?: { readonly parameters: { readonly txnNumber: unknown; readonly autocommit?: boolean } };
}

export type ChangeHorizons = ReturnType<typeof createChangeHorizons>;

/**
 * Finds horizons: marks the current cluster time, then waits until the writes that run now have ended. ADR 0065
 * explains why this misses no write.
 */
export function createChangeHorizons(dependencies: Dependencies) {
  const { client, horizons, namespace, maxWaitMs = 2_000 } = dependencies;
  let last: ChangeHorizon | undefined;

  const writes = { active: true, ns: namespace, op: { $in: ['insert', 'update', 'remove'] } };
  const findAndModifies = { active: true, ns: namespace, 'command.findAndModify': { $exists: true } };
  // Transactions of other services cannot write here: connections are named after the database of their service.
  const openTransactions = {
    'transaction.parameters.autocommit': false,
    appName: { $in: [horizons.dbName, null] },
  };

  /** Returns the running writes of this database user. */
  async function listWrites(session: ClientSession): Promise<ReadonlySet<string>> {
    const stages = [
      { $currentOp: { allUsers: false, idleSessions: true } },
      { $match: { $or: [writes, findAndModifies, openTransactions] } },
      { $project: { opid: 1, lsid: 1, transaction: 1 } },
    ];
    const options = { readConcern: { level: 'local' }, session, ...MAX_TIME } as const;
    const found = await client.db('admin').aggregate<RunningWrite>(stages, options).toArray();
    return new Set(found.map(toKey));
  }

  /**
   * Waits until the writes that run now have ended. Returns false on timeout. MongoDB lists commands, then idle
   * sessions, so one list misses a transaction that starts its next command in between. Two lists in a row do not both
   * miss it: a write has ended if two lists in a row lack it.
   */
  async function awaitEndOfWrites(session: ClientSession): Promise<boolean> {
    const waitUntil = performance.now() + maxWaitMs;
    let previous = await listWrites(session);
    let listed = await listWrites(session);
    let running = previous.union(listed);
    while (running.size > 0) {
      if (performance.now() > waitUntil) return false;
      await sleep(POLL_MS);
      previous = listed;
      listed = await listWrites(session);
      running = running.intersection(previous.union(listed));
    }
    return true;
  }

  const find = createSingleFlight(async (): Promise<ChangeHorizon> => {
    const session = client.startSession({ causalConsistency: true });
    try {
      // A majority write proves that this server is still the primary: a deposed one would not know the writes of its
      // successor.
      const marked = await horizons.findOneAndUpdate({ _id: 'responses' }, SET_CHANGED, {
        upsert: true,
        returnDocument: 'after',
        session,
      });
      if (marked !== null && (await awaitEndOfWrites(session))) last = toHorizon(marked.changed.toBigInt(), session);
    } finally {
      await session.endSession();
    }
    if (last === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    return last;
  });

  function toHorizon(at: bigint, { operationTime, clusterTime }: ClientSession): ChangeHorizon {
    return {
      at,
      startSession() {
        const session = client.startSession({ causalConsistency: true });
        if (clusterTime !== undefined) session.advanceClusterTime(clusterTime);
        if (operationTime !== undefined) session.advanceOperationTime(operationTime);
        return session;
      },
    };
  }

  return {
    /**
     * Finds the current horizon. Concurrent calls share one search. While a write hangs, returns the previous horizon;
     * throws `UNAVAILABLE` if there is none.
     */
    find: (): Promise<ChangeHorizon> => find(),
  };
}

function toKey({ opid, lsid, transaction }: RunningWrite): string {
  if (lsid === undefined || transaction?.parameters.autocommit !== false) return String(opid);
  return `${lsid.id.toString('hex')} ${transaction.parameters.txnNumber}`;
}
