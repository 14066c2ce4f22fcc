import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import type { ClientSession, Collection, MongoClient, Timestamp } from 'mongodb';
import { SET_CHANGED } from '../responses/response-document-store.ts';

/** The only document of its collection. Each update sets a new cluster time. */
export interface ChangeHorizonDocument {
  readonly _id: 'responses';
  readonly changed: Timestamp;
}

/** The cluster time up to which the change feed can be read, and the sessions in which to read it. */
export interface ChangeHorizon {
  /** Cluster time. Writes with earlier stamps have ended. Sessions of `startSession` see the successful ones. */
  readonly at: bigint;
  /** Starts a session. The caller must end it. */
  startSession(): ClientSession;
}

interface Dependencies {
  readonly client: MongoClient;
  readonly horizons: Collection<ChangeHorizonDocument>;
  /** `<database>.<collection>` of the stamped documents. */
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

/** Finds horizons: marks the cluster time, then waits until all running writes have ended (see ADR 0065). */
export function createChangeHorizons(dependencies: Dependencies) {
  const { client, horizons, namespace, maxWaitMs = 2_000 } = dependencies;
  let last: ChangeHorizon | undefined;

  const writes = { active: true, ns: namespace, op: { $in: ['insert', 'update', 'remove'] } };
  const findAndModifies = { active: true, ns: namespace, 'command.findAndModify': { $exists: true } };
  // Only transactions of this service can write here. Connections are named after the database of their service.
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
   * Waits until all running writes have ended. Returns false on timeout. MongoDB lists commands first and idle sessions
   * second. One list can miss a transaction that starts its next command between the two. So a write has ended only if
   * two lists in a row lack it.
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
      // The majority write proves that this server is still the primary. A deposed primary would not know all writes.
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
    /** Finds the current horizon. While a write hangs, returns the previous horizon, or throws `UNAVAILABLE`. */
    find: (): Promise<ChangeHorizon> => find(),
  };
}

function toKey({ opid, lsid, transaction }: RunningWrite): string {
  if (lsid === undefined || transaction?.parameters.autocommit !== false) return String(opid);
  return `${lsid.id.toString('hex')} ${transaction.parameters.txnNumber}`;
}
