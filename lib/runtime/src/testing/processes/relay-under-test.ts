// An outbox relay in its own process, for tests that kill or stop it.
import { Registry } from 'prom-client';
import { createKafka } from '../../kafka/kafka-client.ts';
import type { OutboxDocument } from '../../kafka/outbox-event.ts';
import { createOutboxRelay } from '../../kafka/outbox-relay.ts';
import { createOutboxStore } from '../../kafka/outbox-store.ts';
import { createPublisher } from '../../kafka/publisher.ts';
import { connectMongo } from '../../mongo/connect-mongo.ts';
import { createLease, type LeaseDocument } from '../../mongo/lease.ts';
import { testLog as log } from '../test-log.ts';

const [uri = '', database = '', brokers = '', name = '', owner = ''] = process.argv.slice(2);
const registry = new Registry();
const { db } = await connectMongo({ uri, database, log, registry });
const publisher = createPublisher({ kafka: createKafka({ brokers: brokers.split(','), clientId: owner, log }) });
const lease = createLease({ collection: db.collection<LeaseDocument>('leases'), name, owner, ttlMs: 1_000 });
const store = createOutboxStore(db.collection<OutboxDocument>(name));
createOutboxRelay({ name, store, publisher, lease, log, registry }).start();
// Exit with the test, even if the test crashes.
process.stdin.resume().on('end', () => process.exit());
