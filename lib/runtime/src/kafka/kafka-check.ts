import type { Admin, Kafka } from 'kafkajs';
import { createSingleFlight } from '../flow/single-flight.ts';

export interface KafkaCheck {
  /** Resolves if a broker replies, rejects otherwise. Concurrent calls share one request. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Checks Kafka over a connection of its own, so that the result does not depend on the load of the publisher. */
export function createKafkaCheck(kafka: Kafka): KafkaCheck {
  let admin: Admin | undefined;

  const check = createSingleFlight(async () => {
    try {
      admin ??= kafka.admin({ retry: { retries: 0 } });
      await admin.connect();
      await admin.describeCluster();
    } catch (error) {
      await disconnect();
      throw error;
    }
  });

  async function disconnect(): Promise<void> {
    const previous = admin;
    admin = undefined;
    await previous?.disconnect();
  }

  return {
    check: () => check(),
    async close() {
      // Ignore an error here: the caller of the running check gets it.
      if (check.isRunning()) await check().catch(() => undefined);
      await disconnect();
    },
  };
}
