import type { Db } from 'mongodb';

/** Counts how often responses of a tenant are looked for in a database. */
export async function watchReads(db: Db, tenantId: string) {
  await db.command({ profile: 2 });
  return {
    async stop(): Promise<number> {
      await db.command({ profile: 0 });
      const profile = db.collection('system.profile');
      const count = await profile.countDocuments({ 'command.find': 'responses', 'command.filter.tenant_id': tenantId });
      await profile.drop();
      return count;
    },
  };
}
