// The speed of a script that has only the MongoDB driver. Benches compare the platform with it, because the time alone
// says more about the machine.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Stack } from '@survey/local/stack';
import { Binary, MongoClient } from 'mongodb';
import { DATABASE } from './filled-survey.ts';

const INSERTS = 100_000;
const BATCH = 1_000;
/** About the size of an encrypted response with twenty answers. */
const ENCRYPTED_BYTES = 600;

/** Reads all encrypted responses and converts each to JSON. Returns rows per second. */
export function measureBareReading(stack: Stack): Promise<number> {
  return withClient(stack, async (client) => {
    const begun = performance.now();
    let rows = 0;
    let characters = 0;
    for await (const document of client.db(DATABASE).collection('responses').find()) {
      rows += 1;
      characters += JSON.stringify(document).length;
    }
    if (characters === 0) throw new Error('there is nothing to read');
    return (rows / (performance.now() - begun)) * 1_000;
  });
}

/** Inserts durable documents in batches. Returns documents per second. */
export function measureBareInserting(stack: Stack): Promise<number> {
  return withClient(stack, async (client) => {
    const db = client.db(`bare-${randomUUID()}`);
    const data = new Binary(randomBytes(ENCRYPTED_BYTES));
    try {
      const begun = performance.now();
      for (let from = 0; from < INSERTS; from += BATCH) {
        const documents = Array.from({ length: BATCH }, () => ({ data, created_at: new Date() }));
        await db.collection('responses').insertMany(documents, { writeConcern: { w: 'majority', journal: true } });
      }
      return (INSERTS / (performance.now() - begun)) * 1_000;
    } finally {
      await db.dropDatabase();
    }
  });
}

async function withClient(stack: Stack, work: (client: MongoClient) => Promise<number>): Promise<number> {
  const client = new MongoClient(stack.info().mongodb_uri, { appName: 'bench' });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
