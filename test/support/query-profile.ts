import { type Db, type Document, MongoClient } from 'mongodb';

/** A kind of command that examined many more documents than it used. */
export interface CostlyQuery {
  /** The database and collection. */
  readonly ns: string;
  readonly op: string;
  readonly plan: string;
  /** The filter without values. */
  readonly filter: string;
  readonly times: number;
  readonly keysExamined: number;
  readonly docsExamined: number;
  /** Documents returned or changed by the most expensive command. */
  readonly used: number;
}

/** An allowed kind of expensive query, with the reason. */
export interface AllowedQuery {
  readonly ns: RegExp;
  readonly op?: string;
  /** A part of the plan. */
  readonly plan?: string;
  /** A part of the reported filter. */
  readonly filter?: string;
  /** Whether only keys may exceed the ratio, not documents. Default: false. */
  readonly keysOnly?: boolean;
  readonly reason: string;
}

/** The allowed ratio of examined documents or keys to returned or changed documents. */
const MAX_RATIO = 10;
const PROFILE_BYTES = 64 * 1024 * 1024;
/** A member that no document has, so a query for it is a collection scan. */
export const PROBE = 'probe_of_the_profiler';
const DATABASES = /^survey-/;
const used = { $max: [1, ...['$nreturned', '$nMatched', '$ndeleted', '$ninserted'].map((n) => ({ $ifNull: [n, 0] }))] };
const COSTLY = {
  // Only connections of services are named like their databases.
  appName: DATABASES,
  $or: [
    { planSummary: /COLLSCAN/ },
    ...['$docsExamined', '$keysExamined'].map((examined) => ({
      $expr: { $gt: [{ $ifNull: [examined, 0] }, { $multiply: [MAX_RATIO, used] }] },
    })),
  ],
};

/** Makes MongoDB record only expensive queries of services. Throws if that does not work. */
export async function startProfiling(uri: string): Promise<void> {
  await withDatabases(uri, 'profile', async (db) => {
    await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await db.command({ profile: 1, filter: COSTLY });
  });
  await withDatabases(uri, 'survey-probe', async (db) => {
    await db.collection('leases').findOne({ [PROBE]: true });
    const entries = await db.collection('system.profile').countDocuments({ [`command.filter.${PROBE}`]: true });
    if (entries !== 1) throw new Error(`MongoDB does not record scans of ${db.databaseName}`);
  });
}

/** The expensive queries that are not allowed, the most expensive first. */
export async function findCostlyQueries(
  uri: string,
  allowed: readonly AllowedQuery[],
): Promise<readonly CostlyQuery[]> {
  const found = new Map<string, CostlyQuery>();
  await withDatabases(uri, 'profile', async (db) => {
    for await (const entry of db.collection('system.profile').find()) {
      const query = toQuery(entry);
      const key = JSON.stringify([query.ns, query.op, query.plan, query.filter]);
      const before = found.get(key);
      const worst = before === undefined || examined(query) > examined(before) ? query : before;
      found.set(key, { ...worst, times: (before?.times ?? 0) + 1 });
    }
  });
  return [...found.values()]
    .filter((query) => !allowed.some((each) => isAllowed(query, each)))
    .toSorted((one, other) => examined(other) - examined(one));
}

function isAllowed(
  query: CostlyQuery,
  { ns, op = query.op, plan = '', filter = '', keysOnly = false }: AllowedQuery,
): boolean {
  if (keysOnly && query.docsExamined > MAX_RATIO * query.used) return false;
  return ns.test(query.ns) && op === query.op && query.plan.includes(plan) && query.filter.includes(filter);
}

export function describeQuery({ ns, op, plan, filter, times, keysExamined, docsExamined, used }: CostlyQuery): string {
  return `${ns} ${op} ${filter} ${plan}: ${times} times, up to ${keysExamined} keys and ${docsExamined} documents for ${used}`;
}

function examined({ keysExamined, docsExamined }: CostlyQuery): number {
  return Math.max(keysExamined, docsExamined);
}

function toQuery({ ns, op, command, planSummary = '', ...entry }: Document): CostlyQuery {
  const counts = [entry['nreturned'], entry['nMatched'], entry['ndeleted']].map((count) => Number(count ?? 0));
  // A `getMore` belongs to the command that opened its cursor.
  const opened: Document = entry['originatingCommand'] ?? command;
  const name = op === 'command' || op === 'getmore' ? (Object.keys(opened)[0] ?? op) : op;
  return {
    ns,
    op: name,
    plan: planSummary,
    filter: JSON.stringify(shapeOf(opened['filter'] ?? opened['q'] ?? opened['query'] ?? opened['pipeline']) ?? null),
    times: 1,
    keysExamined: Number(entry['keysExamined'] ?? 0),
    docsExamined: Number(entry['docsExamined'] ?? 0),
    used: Math.max(1, ...counts),
  };
}

/** The filter with types instead of values, which are private. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return [...new Map(value.slice(0, 5).map((item) => [JSON.stringify(shapeOf(item)), shapeOf(item)])).values()];
  if (value === null || typeof value !== 'object' || '_bsontype' in value || value instanceof Date) return '?';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

async function withDatabases(uri: string, appName: string, work: (db: Db) => Promise<void>): Promise<void> {
  const client = new MongoClient(uri, { appName });
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (DATABASES.test(name)) await work(client.db(name));
  } finally {
    await client.close();
  }
}
