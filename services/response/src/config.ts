import { serviceSettings } from '@survey/runtime/config/common-settings';
import { text } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { type Keyring, parseKeyring } from '@survey/runtime/crypto/keyring';

const encryptionKeyring: Setting<Keyring> = {
  env: 'ENCRYPTION_KEYRING',
  secret: true,
  help: 'Keys that wrap the data keys of tenants: {"active":"<id>","keys":{"<id>":"<32 bytes in base64>"}}.',
  parse: parseKeyring,
};

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-response', help: 'Database of this service.' }),
  surveyGrpcAddress: text({ env: 'SURVEY_GRPC_ADDRESS', help: 'gRPC address of the survey service, host:port.' }),
  encryptionKeyring,
};

export type ResponseConfig = Config<typeof settings>;
