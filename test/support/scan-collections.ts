import { catalog } from '@survey/proto/catalog';
import { BSON, type MongoClient } from 'mongodb';

/** The profile has commands of the test run, not data. Loads have the ids of busy tenants, for three minutes. */
const NO_DATA = ['system.profile', 'tenant_loads'];

/** Returns the names of the collections of all services that contain a text, including in unpublished events. */
export async function collectionsWithText(client: MongoClient, text: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const service of Object.keys(catalog)) {
    for (const collection of await client.db(`survey-${service}`).collections()) {
      if (NO_DATA.includes(collection.collectionName)) continue;
      for await (const document of collection.find()) {
        if (Buffer.from(BSON.serialize(document)).includes(text)) found.add(collection.collectionName);
      }
    }
  }
  return [...found].sort();
}
