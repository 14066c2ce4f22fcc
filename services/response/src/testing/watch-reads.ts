import type { Db } from 'mongodb';

/** Counts the queries for responses of a tenant, with the profiler of MongoDB. */
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
