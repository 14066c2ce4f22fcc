import { catalog } from '@survey/proto/catalog';
import type { MongoClient } from 'mongodb';

/** The profile has commands of the test run, not data. */
const NO_DATA = 'system.profile';

/** Returns the names of the collections of all services that contain one of the texts, including in unpublished events. */
export async function collectionsWithText(
  client: MongoClient,
  ...texts: readonly string[]
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const service of Object.keys(catalog)) {
    for (const collection of await client.db(`survey-${service}`).collections()) {
      if (collection.collectionName === NO_DATA) continue;
      for await (const document of collection.find<Uint8Array>({}, { raw: true })) {
        const bytes = Buffer.from(document);
        if (texts.some((text) => bytes.includes(text))) found.add(collection.collectionName);
      }
    }
  }
  return [...found].sort();
}
