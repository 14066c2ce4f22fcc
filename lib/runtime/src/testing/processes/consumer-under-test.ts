// A consumer in its own process, for tests that kill it. It stores each message in MongoDB.
import { Registry } from 'prom-client';
import { createConsumer } from '../../kafka/consumer.ts';
import { createKafka } from '../../kafka/kafka-client.ts';
import { createPublisher } from '../../kafka/publisher.ts';
import { connectMongo } from '../../mongo/connect-mongo.ts';
import { testLog as log } from '../test-log.ts';

/** A handled message. It is stored each time that it is handled. */
export interface HandledMessage {
  readonly partition: number;
  readonly offset: number;
}

const [uri = '', database = '', brokers = '', topic = '', groupId = ''] = process.argv.slice(2);
const registry = new Registry();
const { db } = await connectMongo({ uri, database, log, registry });
const handled = db.collection<HandledMessage>(topic);
const kafka = createKafka({ brokers: brokers.split(','), clientId: groupId, log });
createConsumer<HandledMessage>({
  kafka,
  groupId,
  topics: [topic],
  sessionTimeoutMs: 3_000,
  handler: {
    decode: ({ partition, offset }) => ({ partition, offset: Number(offset) }),
    async handle(messages) {
      // One by one, so that a test can kill the process in between.
      for (const message of messages) await handled.insertOne({ ...message });
    },
  },
  publisher: createPublisher({ kafka }),
  isReporter: async () => true,
  log,
  registry,
}).start();
// Exit with the test, even if the test crashes.
process.stdin.resume().on('end', () => process.exit());
