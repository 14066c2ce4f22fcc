import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { JWK } from 'jose';
import type { Kafka } from 'kafkajs';
import type { Collection, Document } from 'mongodb';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createRotatingMinter } from '../auth/internal-token.ts';
import type { FollowedSecret } from '../config/follow-files.ts';
import type { DataKeyDocument } from '../crypto/data-key.ts';
import { createEnvelope, type Envelope } from '../crypto/envelope.ts';
import { followKeyring, type Keyring } from '../crypto/keyring.ts';
import type { PeriodicWorker, Worker } from '../flow/loop.ts';
import { memoize } from '../flow/memoize.ts';
import type { MessageHandler } from '../kafka/batch-handler.ts';
import { createConsumer } from '../kafka/consumer.ts';
import { createKafka } from '../kafka/kafka-client.ts';
import { type KafkaSecurityConfig, toKafkaSecurity, watchKafkaCertificates } from '../kafka/kafka-security.ts';
import type { OutboxDocument } from '../kafka/outbox-event.ts';
import { createOutboxRelay } from '../kafka/outbox-relay.ts';
import { createOutboxGauges, createOutboxStore } from '../kafka/outbox-store.ts';
import { createPublisher, type Publisher } from '../kafka/publisher.ts';
import { connectMongo, type Mongo } from '../mongo/connect-mongo.ts';
import { createLease, LEASES, type Lease, type LeaseDocument } from '../mongo/lease.ts';
import { loadPeerTls, type PeerTls } from '../rpc/peer-tls.ts';
import { connectService, type ServiceConnection } from '../rpc/service-client.ts';
import { createRegistry } from '../telemetry/metrics.ts';
import type { Reporting } from '../telemetry/reported-gauge.ts';
import { createSecretMetrics, type ObserverOf } from '../telemetry/secret-metrics.ts';

/** `isReporter` is cached this long, so that all gauges of a scrape acquire the lease only once. Milliseconds. */
const REPORTER_TTL_MS = 500;

/** The infrastructure that all services share. */
export interface ServiceRuntime {
  readonly service: string;
  readonly log: Logger;
  readonly registry: Registry;
  /** Dependencies of metrics that one replica reports on behalf of all replicas. */
  readonly reporting: Reporting;
  readonly mongo: Mongo;
  readonly kafka: Kafka;
  readonly publisher: Publisher;
  readonly observerOf: ObserverOf;
  /** Certificates for connections between the processes of the platform; undefined without TLS. */
  readonly tls: PeerTls | undefined;
  readonly clock: () => Date;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
  /** Connects to another service by name and gRPC address. `close` closes the connection. */
  connect(name: string, address: string): ServiceConnection;
  collection<D extends Document>(name: string): Collection<D>;
  /** The right of one replica to do something for a limited time. */
  lease(name: string): Lease;
  /** Encryption for tenants, with data keys in the collection `data_keys`. Rejects if the keyring lacks keys in use. */
  envelope(keyring: FollowedSecret<Keyring>): Promise<Envelope>;
  /** The relay of a collection with events. Wake it after each write, so that it need not wait for its next poll. */
  relay<D extends OutboxDocument>(collection: Collection<D>): PeriodicWorker;
  /**
   * A member of the consumer group `<service>.<database>.<name>`. Each database has its own position in the topics. The
   * dead-letter topics of its topics must exist.
   */
  consumer<T>(group: {
    readonly name: string;
    readonly topics: readonly string[];
    readonly handler: MessageHandler<T>;
  }): Worker;
  close(): Promise<void>;
}

interface ServiceRuntimeConfig extends KafkaSecurityConfig {
  readonly mongodbUri: string;
  readonly mongodbDatabase: string;
  readonly mongodbSelectionTimeoutMs: number;
  readonly kafkaBrokers: readonly string[];
  readonly kafkaSessionTimeoutMs: number;
  readonly leaseMs: number;
  readonly internalKey: FollowedSecret<JWK>;
  readonly tlsDir: string | undefined;
}

/** Diagnostics channel that publishes the client when a service has connected to MongoDB, for tests. */
const connected = channel('survey.mongodb.connected');

/** Connects a service to MongoDB and Kafka. Rejects if the database is unreachable. */
export async function createServiceRuntime(
  service: string,
  config: ServiceRuntimeConfig,
  log: Logger,
): Promise<ServiceRuntime> {
  const registry = createRegistry({ service });
  const observerOf = createSecretMetrics(registry);
  const observer = observerOf('internal_key');
  const minter = await createRotatingMinter({ service, secret: config.internalKey, log, observer });
  const tls = await loadPeerTls(config.tlsDir, log, observerOf);
  const mongo = await connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    selectionTimeoutMs: config.mongodbSelectionTimeoutMs,
    log,
    registry,
  });
  connected.publish(mongo.client);
  const kafka = createKafka({
    brokers: config.kafkaBrokers,
    clientId: service,
    security: toKafkaSecurity(config),
    log,
  });
  await watchKafkaCertificates(config, log, observerOf);
  const publisher = createPublisher({ kafka });
  const clock = () => new Date();
  const owner = randomUUID();
  const collection = <D extends Document>(name: string) => mongo.db.collection<D>(name);
  const lease = (name: string) =>
    createLease({ collection: collection<LeaseDocument>(LEASES), name, owner, ttlMs: config.leaseMs });

  const connections: ServiceConnection[] = [];
  const reporter = lease('metrics');
  const reporting = { isReporter: memoize(reporter.acquire, { ttlMs: REPORTER_TTL_MS }), registry, log };
  const addOutboxGauges = createOutboxGauges({ ...reporting, clock });

  return {
    service,
    log,
    registry,
    reporting,
    mongo,
    kafka,
    publisher,
    observerOf,
    tls,
    clock,
    now: () => performance.now(),
    connect(name, address) {
      const connection = connectService({ name, address, minter, tls });
      connections.push(connection);
      return connection;
    },
    collection,
    lease,
    async envelope(secret) {
      const dataKeys = collection<DataKeyDocument>('data_keys');
      const keyring = await followKeyring({
        secret,
        collection: dataKeys,
        log,
        observer: observerOf('encryption_keyring'),
      });
      return createEnvelope({ collection: dataKeys, keyring, clock });
    },
    relay(outboxes) {
      const name = outboxes.collectionName;
      // All documents with an outbox have the fields that the relay uses.
      const store = createOutboxStore(outboxes as unknown as Collection<OutboxDocument>);
      addOutboxGauges(name, store);
      return createOutboxRelay({ name, store, publisher, lease: lease(`outbox ${name}`), log, registry });
    },
    consumer({ name, ...options }) {
      const groupId = `${service}.${config.mongodbDatabase}.${name}`;
      const { kafkaSessionTimeoutMs: sessionTimeoutMs } = config;
      return createConsumer({ ...options, groupId, sessionTimeoutMs, kafka, publisher, ...reporting });
    },
    async close() {
      for (const connection of connections) connection.close();
      await publisher.close();
      // If this fails, the lease expires by itself.
      await reporter.release().catch(() => {});
      await mongo.close();
      tls?.close();
    },
  };
}
