import type { Collection } from 'mongodb';
import type { Logger } from 'pino';
import type { FileWatch, ReadLatest } from '../config/follow-files.ts';
import { type FollowedSecret, followSecret } from '../config/followed-secret.ts';
import { checkKeyring } from './check-keyring.ts';
import type { DataKeyDocument } from './data-key.ts';
import type { Keyring } from './keyring.ts';
import { rewrapDataKeys } from './rewrap-data-keys.ts';

interface Options {
  readonly secret: FollowedSecret<Keyring>;
  readonly collection: Collection<DataKeyDocument>;
  readonly log: Logger;
  readonly watch?: FileWatch | undefined;
  readonly recheckMs?: number;
}

/**
 * Follows the keyring file. Rejects if the first keyring lacks a key that is in use. Ignores a later keyring that lacks
 * one. After each change, data keys are wrapped with the active key in the background. Other keys can then be removed.
 */
export function followKeyring({ collection, ...options }: Options): Promise<ReadLatest<Keyring>> {
  const { log, watch } = options;

  async function rewrap(keyring: Keyring): Promise<void> {
    try {
      const { rewrapped } = await rewrapDataKeys(keyring, collection);
      if (rewrapped > 0)
        log.info({ count: rewrapped, key: keyring.active }, 'data keys are wrapped with the active key');
    } catch (error) {
      // The remaining data keys stay readable. The next start tries again.
      log.error({ err: error }, 'cannot wrap data keys with the active key');
    }
  }

  async function checkAndRewrap(keyring: Keyring): Promise<Keyring> {
    await checkKeyring(keyring, collection);
    watch?.setExpiries({ [keyring.active]: keyring.rotateBy });
    void rewrap(keyring);
    return keyring;
  }
  return followSecret({ ...options, toResult: checkAndRewrap });
}
