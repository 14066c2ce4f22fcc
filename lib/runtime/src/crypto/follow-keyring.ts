import type { Collection } from 'mongodb';
import type { Logger } from 'pino';
import type { Latest } from '../config/follow-files.ts';
import { type FollowedSecret, followSecret } from '../config/followed-secret.ts';
import { checkKeyring } from './check-keyring.ts';
import type { DataKeyDocument } from './data-key.ts';
import type { Keyring } from './keyring.ts';
import { rewrapDataKeys } from './rewrap-data-keys.ts';

interface Options {
  readonly secret: FollowedSecret<Keyring>;
  readonly collection: Collection<DataKeyDocument>;
  readonly log: Logger;
  readonly recheckMs?: number;
}

/**
 * The keyring that the file holds now, with which every data key can be read. Rejects, with the ids, when the first one
 * lacks keys that are in use; a later one that does is not taken into use. Data keys that another than the active key
 * wraps are wrapped anew in the background, after which that one can go.
 */
export function followKeyring({ collection, ...options }: Options): Promise<Latest<Keyring>> {
  const { log } = options;

  async function rewrap(keyring: Keyring): Promise<void> {
    try {
      const { rewrapped } = await rewrapDataKeys(keyring, collection);
      if (rewrapped > 0)
        log.info({ count: rewrapped, key: keyring.active }, 'data keys are wrapped with the active key');
    } catch (error) {
      // Those that are left can be read all the same, and are tried again at the next start.
      log.error({ err: error }, 'data keys cannot be wrapped with the active key');
    }
  }

  async function use(keyring: Keyring): Promise<Keyring> {
    await checkKeyring(keyring, collection);
    void rewrap(keyring);
    return keyring;
  }
  return followSecret({ ...options, use });
}
