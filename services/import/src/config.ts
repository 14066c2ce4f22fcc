import { encryptionKeyring, serviceSettings } from '@survey/runtime/config/common-settings';
import { text } from '@survey/runtime/config/kinds';
import type { Config } from '@survey/runtime/config/settings';

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-import', help: 'Database of this service.' }),
  encryptionKeyring,
  surveyGrpcAddress: text({
    env: 'SURVEY_GRPC_ADDRESS',
    help: 'gRPC address of the survey service: host:port, or a gRPC target.',
  }),
  responseGrpcAddress: text({
    env: 'RESPONSE_GRPC_ADDRESS',
    help: 'gRPC address of the response service: host:port, or a gRPC target.',
  }),
};

export type ImportConfig = Config<typeof settings>;
