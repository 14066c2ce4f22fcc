// A tenant eraser in its own process, for tests that kill it.
import { Registry } from 'prom-client';
import { connectMongo } from '../../mongo/connect-mongo.ts';
import { createLease, type LeaseDocument } from '../../mongo/lease.ts';
import { createTenantEraser, destroyTenantData } from '../../tenants/tenant-eraser.ts';
import { createTenantStateStore, type TenantStateDocument } from '../../tenants/tenant-state-store.ts';
import { testLog as log } from '../test-log.ts';

const [uri = '', database = '', owner = ''] = process.argv.slice(2);
const { db } = await connectMongo({ uri, database, log, registry: new Registry() });
createTenantEraser({
  service: 'under-test',
  states: createTenantStateStore(db.collection<TenantStateDocument>('tenant_states')),
  destroyDataKeys: async () => {},
  destroyData: (tenantId, mayContinue) => destroyTenantData(db, tenantId, { keptCollections: [], mayContinue }),
  betweenPassesMs: 1,
  clock: () => new Date(),
  lease: createLease({ collection: db.collection<LeaseDocument>('leases'), name: 'erasure', owner, ttlMs: 1_000 }),
  onEvent: () => {},
  log,
}).start();
// Exit with the test, even if the test crashes.
process.stdin.resume().on('end', () => process.exit());
