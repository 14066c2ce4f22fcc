// A process that tests can kill. It deletes responses a day after their creation.
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { connectMongo } from '@survey/runtime/mongo/connect-mongo';
import { createLease, type LeaseDocument } from '@survey/runtime/mongo/lease';
import { testLog as log } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import type { SurveyRetention } from '../retention/survey-walk.ts';
import { createTestReplica } from './retention-replica.ts';

const [uri = '', database = '', tenant = '', owner = ''] = process.argv.slice(2);
const tenantId = toTenantId(tenant);
const { db } = await connectMongo({ uri, database, log, registry: new Registry() });
const keptOf = (surveyId: string): SurveyRetention => ({ state: 'kept', surveyId, tenantId, retentionDays: 1 });
createTestReplica(
  db,
  async (surveyIds) => new Map(surveyIds.map((id) => [id, keptOf(id)])),
  createLease({ collection: db.collection<LeaseDocument>('leases'), name: 'retention', owner, ttlMs: 1_000 }),
).start();
// Exit with the test, even if the test crashes.
process.stdin.resume().on('end', () => process.exit());
