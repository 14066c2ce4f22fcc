import { randomBytes } from 'node:crypto';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { type Db, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { checkDataKeys, checkTopology } from './check-mongodb.ts';

describe('the check of a replica set', () => {
  it('counts members that cannot become primary', () => {
    const hello = { setName: 'rs0', hosts: ['a:1'], passives: ['b:1', 'c:1'] };
    expect(checkTopology(hello, 'it')).toMatchObject({ level: 'ok', detail: 'replica set with 3 members' });
    expect(checkTopology({ setName: 'rs0', hosts: ['a:1'] }, 'it')).toMatchObject({
      level: 'warning',
      detail: 'replica set with a single member',
    });
  });
});

describe('the check of data keys', () => {
  it('does not take an error of MongoDB for a missing key', async () => {
    const keyring = parseKeyring(JSON.stringify({ active: 'k1', keys: { k1: randomBytes(32).toString('base64') } }));
    const rejected = new MongoServerError({ message: 'not authorized on survey-response to execute command' });
    const collection = { distinct: () => Promise.reject(rejected) };
    // Only this method is called.
    const db = { collection: () => collection } as unknown as Db;
    await expect(checkDataKeys(db, 'it', keyring)).rejects.toBe(rejected);
  });
});
