import { encryptionKeyring, serviceSettings } from '@survey/runtime/config/common-settings';
import { integer, text } from '@survey/runtime/config/kinds';
import type { Config } from '@survey/runtime/config/settings';

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-response', help: 'Database of this service.' }),
  surveyGrpcAddress: text({
    env: 'SURVEY_GRPC_ADDRESS',
    help: 'gRPC address of the survey service: host:port, or a gRPC target.',
  }),
  encryptionKeyring,
  abandonedAfterHours: integer({
    env: 'ABANDONED_AFTER_HOURS',
    fallback: '168',
    min: 1,
    max: 8_760,
    help: 'How long a response stays in progress after it was saved last. Hours.',
  }),
};

export type ResponseConfig = Config<typeof settings>;
