import { catalog } from '@survey/proto/catalog';
import { BSON, type MongoClient } from 'mongodb';

/** The profile has commands of the test run, not data. */
const NO_DATA = 'system.profile';

/** Returns the names of the collections of all services that contain a text, including in unpublished events. */
export async function collectionsWithText(client: MongoClient, text: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const service of Object.keys(catalog)) {
    for (const collection of await client.db(`survey-${service}`).collections()) {
      if (collection.collectionName === NO_DATA) continue;
      for await (const document of collection.find()) {
        if (Buffer.from(BSON.serialize(document)).includes(text)) found.add(collection.collectionName);
      }
    }
  }
  return [...found].sort();
}
