import type { Db, Document } from 'mongodb';

/** Reports the plan and the examined documents of each database command during some calls. */
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
