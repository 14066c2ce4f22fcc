import type { Admin, Kafka } from 'kafkajs';

/** Tells whether Kafka answers. */
export interface KafkaCheck {
  /** Resolves when a broker answers, rejects when none does. Calls while one is being asked get its answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Asks over a connection of its own, so that an answer says something of Kafka and nothing of what is being sent. */
export function createKafkaCheck(kafka: Kafka): KafkaCheck {
  let admin: Admin | undefined;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      admin ??= kafka.admin({ retry: { retries: 0 } });
      // Does nothing when it is connected.
      await admin.connect();
      await admin.describeCluster();
    } catch (error) {
      await disconnect();
      throw error;
    } finally {
      asking = undefined;
    }
  }

  async function disconnect(): Promise<void> {
    const left = admin;
    admin = undefined;
    await left?.disconnect();
  }

  return {
    check() {
      asking ??= ask();
      return asking;
    },
    async close() {
      // Who asked has the error.
      await asking?.catch(() => undefined);
      await disconnect();
    },
  };
}
