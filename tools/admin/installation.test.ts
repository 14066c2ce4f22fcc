import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPaths } from '@survey/local/stack/folder';
import { ensureKeys } from '@survey/local/stack/keys';
import { createStackFile } from '@survey/local/stack/stack-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planForwards } from '../cluster/forward.ts';
import { TRIAL_TARGET } from '../cluster/names.ts';
import { consumerGroupsOf } from './consumer-groups.ts';
import { loadInstallation } from './installation.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installation-'));
  let next = 20_000;
  const ports = { claim: async () => next++, claimExactly: async (port: number) => port, release: () => undefined };
  await createStackFile(toPaths(folder).stackFile).write((await planForwards(ports, TRIAL_TARGET)).info);
});

afterEach(() => rm(folder, { recursive: true }));

describe('an installation with forwarded ports', () => {
  it('has no files of its processes, if they are only in the cluster', async () => {
    const { processes } = await loadInstallation(folder, {});
    expect(processes['survey']).toMatchObject({ env: { KAFKA_TOPIC_REPLICATION: '1' }, is_partial: true });
    const variables = Object.values(processes).flatMap(({ env }) => Object.keys(env));
    expect(variables.filter((name) => name.endsWith('_FILE'))).toEqual([]);
  });

  it('has those that are here', async () => {
    const keys = await ensureKeys(toPaths(folder).keys);
    const { processes } = await loadInstallation(folder, { TLS_DIR: '/certificates' });
    expect(processes['survey']?.env).toMatchObject({
      INTERNAL_KEY_FILE: keys.internalKeyOf('survey'),
      INTERNAL_JWKS_FILE: keys.internalJwks,
      ENCRYPTION_KEYRING_FILE: keys.encryptionKeyring,
      TLS_DIR: '/certificates',
    });
  });
});

describe('the consumer groups of an installation', () => {
  it('are not guessed if the name of a database comes from elsewhere', () => {
    const elsewhere = { env: {}, unknown_env: { variables: ['MONGODB_DATABASE'], others: false } };
    expect(() => consumerGroupsOf({ processes: { webhook: elsewhere } })).toThrow('database of webhook is not known');
  });
});
