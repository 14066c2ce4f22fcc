import { serviceSettings } from '@survey/runtime/config/common-settings';
import { text } from '@survey/runtime/config/kinds';
import type { Config } from '@survey/runtime/config/settings';
import { encryptionKeyring } from '@survey/runtime/crypto/keyring';

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-identity', help: 'Database of this service.' }),
  encryptionKeyring,
};

export type IdentityConfig = Config<typeof settings>;
