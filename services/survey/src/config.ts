import { serviceSettings } from '@survey/runtime/config/common-settings';
import { integer, text } from '@survey/runtime/config/kinds';
import type { Config } from '@survey/runtime/config/settings';
import { encryptionKeyring } from '@survey/runtime/crypto/keyring';

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-survey', help: 'Database of this service.' }),
  responseGrpcAddress: text({
    env: 'RESPONSE_GRPC_ADDRESS',
    help: 'gRPC address of the response service: host:port, or a gRPC target.',
  }),
  encryptionKeyring,
  purgeDeletedAfterDays: integer({
    env: 'PURGE_DELETED_AFTER_DAYS',
    fallback: '30',
    min: 1,
    max: 3_650,
    help: 'Days for which a deleted survey can be restored. After them, it is purged with its responses.',
  }),
};

export type SurveyConfig = Config<typeof settings>;
