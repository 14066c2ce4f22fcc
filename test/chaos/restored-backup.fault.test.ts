import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Stack, startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { type AnsweredSurvey, startAnsweredSurvey } from '../support/faults/answered-survey.ts';
import { withDatabase } from '../support/faults/mongodb.ts';
import { startClients, submit, submitMany } from '../support/faults/retrying-client.ts';
import { whileStopped } from '../support/faults/supervised.ts';
import { lunchAnswers } from '../support/lunch-survey.ts';
import { createApi, tokenFor } from '../support/platform.ts';

/** A file that exists while the server runs. */
const LOCK_FILE = 'mongod.lock';

/**
 * Copies the files of the stack's MongoDB into the folder of another stack, as a volume snapshot does. Writes are
 * blocked meanwhile.
 */
async function backUpDatabases(into: string): Promise<void> {
  const filesOf = (folder: string) => join(toPaths(folder).data, 'mongodb', 'db');
  const from = filesOf(inject('stackFolder'));
  await withDatabase('admin', async (admin) => {
    await admin.command({ fsync: 1, lock: true });
    try {
      await cp(from, filesOf(into), { recursive: true, filter: (path) => basename(path) !== LOCK_FILE });
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
  });
}

/** Copies the keys, which are not part of backups. */
async function copyKeys(into: string): Promise<void> {
  await cp(toPaths(inject('stackFolder')).keys, toPaths(into).keys, { recursive: true });
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-restored-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function restore(folder: string): Promise<Stack> {
  const stack = await startStack({ dir: folder, demo: false, log: () => undefined });
  cleanups.push(stack.stop);
  return stack;
}

async function startSurvey(): Promise<AnsweredSurvey> {
  const survey = await startAnsweredSurvey();
  cleanups.push(survey.close);
  return survey;
}

// Long, because each test starts a second platform.
const TIMEOUT_MS = 420_000;

describe.skipIf(inject('stack').mongodb.pid === undefined)('a backup of the databases', { timeout: TIMEOUT_MS }, () => {
  it('has every acknowledged response, and works with the keyring and a new Kafka', async () => {
    const { surveyId, tenant, received, untilDelivered } = await startSurvey();
    const folder = await newFolder();
    await copyKeys(folder);

    await whileStopped(['kafka'], async () => {
      // Their events are only in the databases.
      const ids = [...(await submitMany(surveyId, 20))];
      const clients = startClients(4, () => submit(surveyId));
      await expect.poll(() => clients.acknowledged.length).toBeGreaterThan(20);
      ids.push(...clients.acknowledged);
      await backUpDatabases(folder);
      await clients.stop();
      expect(received).toEqual([]);

      const { gateway } = (await restore(folder)).info();
      const api = createApi(await tokenFor(tenant.tenantId, tenant.userId), gateway);
      for (const id of ids)
        expect(await api('GET', `/v1/responses/${id}`)).toMatchObject({ status: 200, body: { data: lunchAnswers } });
      const later = await createApi(undefined, gateway)('POST', `/v1/public/surveys/${surveyId}/responses`, {
        body: { status: 'completed', data: lunchAnswers },
      });
      expect(later).toMatchObject({ status: 201 });
      await untilDelivered([...ids, later.body.id]);
    });
  });

  // `process.integration.test.ts` of the response service is a short version.
  it.runIf(inject('testScope') === 'all')('cannot be used with another keyring: no service starts', async () => {
    const { surveyId } = await startSurvey();
    await submitMany(surveyId, 1);
    const folder = await newFolder();
    await backUpDatabases(folder);
    // The start generates missing keys.
    await expect(restore(folder)).rejects.toThrow('The keyring lacks keys that wrap data keys in the database');
  });
});
