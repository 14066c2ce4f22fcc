import { serviceSettings } from '@survey/runtime/config/common-settings';
import { integer, text } from '@survey/runtime/config/kinds';
import type { Config } from '@survey/runtime/config/settings';
import { encryptionKeyring } from '@survey/runtime/crypto/keyring';

/** Largest file that the API contract allows. */
const MAX_BYTES = 1024 ** 3;

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
  importLeaseMs: integer({
    env: 'IMPORT_LEASE_MS',
    fallback: '15000',
    min: 500,
    max: 600_000,
    help: 'Time in milliseconds until another replica continues the import of a killed process.',
  }),
  importMaxBytes: integer({
    env: 'IMPORT_MAX_BYTES',
    fallback: String(MAX_BYTES),
    help: 'Largest file that is imported, in bytes.',
    min: 1024,
    max: MAX_BYTES,
  }),
};

export type ImportConfig = Config<typeof settings>;
