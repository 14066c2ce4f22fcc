import { metricsMaxSeries, serviceSettings } from '@survey/runtime/config/common-settings';
import { integer, ranges, text } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { encryptionKeyring } from '@survey/runtime/crypto/keyring';

export const settings = {
  ...serviceSettings,
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', fallback: 'survey-response', help: 'Database of this service.' }),
  surveyGrpcAddress: text({
    env: 'SURVEY_GRPC_ADDRESS',
    help: 'gRPC address of the survey service: host:port, or a gRPC target.',
  }),
  encryptionKeyring,
  metricsMaxSeries,
  abandonedAfterHours: integer({
    env: 'ABANDONED_AFTER_HOURS',
    fallback: '168',
    min: 1,
    max: 8_760,
    help: 'Hours after the last save until a response in progress is abandoned.',
  }),
  deletionsKeptDays: integer({
    env: 'DELETIONS_KEPT_DAYS',
    fallback: '30',
    // More than the day for which idempotency keys are valid.
    min: 2,
    max: 3_650,
    help: 'Days that the change feed of responses reports a deletion. Older cursors get 410.',
  }),
  submitsPerMinute: perMinute({
    env: 'PUBLIC_SUBMITS_PER_MINUTE',
    fallback: '600',
    help: 'Responses per minute that one client may submit to a survey or through a link.',
  }),
  uploadsPerMinute: perMinute({
    env: 'PUBLIC_UPLOADS_PER_MINUTE',
    fallback: '300',
    help: 'Files per minute that one client may upload for a survey or through a link.',
  }),
  failedLookupsPerMinute: perMinute({
    env: 'PUBLIC_FAILED_LOOKUPS_PER_MINUTE',
    fallback: '300',
    help: 'Failed lookups per minute of one client: unknown surveys and links, and wrong tokens.',
  }),
  unlimitedRanges: ranges({
    env: 'PUBLIC_UNLIMITED_RANGES',
    fallback: '',
    help: 'Address ranges (CIDR) without these rate limits, separated by commas.',
  }),
};

/**
 * A limit of one client per minute and replica. Submits and uploads have one limit for each survey or link. A client
 * can use half of the limit at once. A client is an IPv4 address, or the /64 of an IPv6 address.
 */
function perMinute(common: Pick<Parameters<typeof integer>[0], 'env' | 'fallback' | 'help'>): Setting<number> {
  return integer({ ...common, min: 1, max: 1_000_000 });
}

export type ResponseConfig = Config<typeof settings>;
