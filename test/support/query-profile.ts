import { type Db, type Document, MongoClient } from 'mongodb';

/** Commands of one kind that examined much more than they used. */
export interface CostlyQuery {
  /** Database and collection. */
  readonly ns: string;
  readonly op: string;
  readonly plan: string;
  /** Members of the filter, without values. */
  readonly filter: string;
  readonly times: number;
  readonly keysExamined: number;
  readonly docsExamined: number;
  /** Documents that the most costly one returned or changed. */
  readonly used: number;
}

/** A kind of query that may examine much, and why. */
export interface AllowedQuery {
  readonly ns: RegExp;
  readonly op?: string;
  /** Must occur in the plan. */
  readonly plan?: string;
  /** Must occur in the filter as the report shows it. */
  readonly filter?: string;
  readonly reason: string;
}

/** A query may examine this many documents, or keys, for each that it returns or changes. */
const MAX_RATIO = 10;
const PROFILE_BYTES = 64 * 1024 * 1024;
/** A member that no document has: a query for it is a scan. */
export const PROBE = 'probe_of_the_profiler';
const DATABASES = /^survey-/;
const used = { $max: [1, ...['$nreturned', '$nMatched', '$ndeleted', '$ninserted'].map((n) => ({ $ifNull: [n, 0] }))] };
const COSTLY = {
  // The services name their connections like their databases; tests that look for themselves do not.
  appName: DATABASES,
  $or: [
    { planSummary: /COLLSCAN/ },
    ...['$docsExamined', '$keysExamined'].map((examined) => ({
      $expr: { $gt: [{ $ifNull: [examined, 0] }, { $multiply: [MAX_RATIO, used] }] },
    })),
  ],
};

/** Has MongoDB record the costly queries of the services, and nothing else. Throws when it does not. */
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

/** The costly queries that no entry of the list allows, the most costly first. */
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

function isAllowed(query: CostlyQuery, { ns, op = query.op, plan = '', filter = '' }: AllowedQuery): boolean {
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
  // A `getMore` is part of the command that opened its cursor.
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

/** The filter with types in place of values: values are tenants' data. */
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
