import type { Db, Document } from 'mongodb';

/** What the database did for some calls, one line for each command on the responses: how, and how much it looked at. */
export async function watchPlans(db: Db, calls: () => Promise<void>): Promise<readonly string[]> {
  await db.command({ profile: 2 });
  try {
    await calls();
  } finally {
    await db.command({ profile: 0 });
  }
  const profile = db.collection('system.profile');
  const done = await profile
    .find({ ns: `${db.databaseName}.responses`, planSummary: { $exists: true }, appName: { $ne: 'bench' } })
    .sort({ ts: 1 })
    .toArray();
  await profile.drop();
  return [...new Set(done.map(toLine))];
}

function toLine({ op, command = {}, planSummary, keysExamined, docsExamined, nreturned }: Document): string {
  const name = Object.keys(command)[0] ?? op;
  const how = String(planSummary).replaceAll(/IXSCAN \{[^}]*\}/g, `IXSCAN ${command['hint'] ?? ''}`);
  return `${name}: ${how}, ${keysExamined} keys, ${docsExamined} documents, ${nreturned ?? 1} given`;
}
