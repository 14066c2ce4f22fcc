/** A resource of a process that callers share, and the most that they can hold of it. */
interface SharedResource {
  readonly resource: string;
  /** All callers together, then one tenant, client or survey. Names are settings with defaults, or constants. */
  readonly limits: string;
  /** The files that declare the limits and reject requests above them. */
  readonly files: readonly string[];
}

/** `test/lint/security.test.ts` compares the list with the code. */
export const SHARED_RESOURCES: readonly SharedResource[] = [
  {
    resource: 'Messages to a service, until the reply is in the gateway',
    limits: '`MAX_IN_FLIGHT = 512`; tenant or client `SHARE_OF_FREE_SLOTS = 3`',
    files: ['gateway/src/forwarding/backend-proxy.ts', 'gateway/src/forwarding/forwarder.ts'],
  },
  {
    resource: 'Messages to a service without a reply yet',
    limits:
      '`MAX_IN_FLIGHT = 512`, under overload down to `MIN_LIMIT = 128`; tenant or client `SHARE_OF_FREE_SLOTS = 3`',
    files: ['gateway/src/forwarding/backend-proxy.ts', 'gateway/src/forwarding/forwarder.ts'],
  },
  {
    resource: 'Streams to a service (exports, transfers of files, bodies above 64 KiB)',
    limits: '`MAX_STREAMS = 128`; tenant or client `SHARE_OF_FREE_SLOTS = 3`',
    files: ['gateway/src/forwarding/backend-proxy.ts', 'gateway/src/forwarding/forwarder.ts'],
  },
  {
    resource: 'Long polls of the change feed, and tests of webhooks, to a service',
    limits: '`MAX_WAITS = 512`; tenant `SHARE_OF_FREE_SLOTS = 3`',
    files: ['gateway/src/forwarding/backend-proxy.ts', 'gateway/src/forwarding/forwarder.ts'],
  },
  {
    resource: 'Requests with tokens in progress',
    limits:
      'tenant `TENANT_CONCURRENT_REQUESTS = 256`, heavy ones and streams `percentByClass.heavy = 25` percent of it',
    files: [
      'gateway/src/rates/tenant-limits.ts',
      'gateway/src/rates/limit-settings.ts',
      'gateway/src/rates/route-class.ts',
    ],
  },
  {
    resource: 'Requests of public routes in progress',
    limits: 'client `CLIENT_PUBLIC_CONCURRENT_REQUESTS = 400`',
    files: ['gateway/src/rates/client-limits.ts', 'gateway/src/rates/limit-settings.ts'],
  },
  {
    resource: 'Checks of unknown tokens in progress',
    limits: 'client `MAX_CONCURRENT_AUTHENTICATIONS = 128`',
    files: ['gateway/src/rates/client-limits.ts'],
  },
  {
    resource: 'Bytes of bodies that arrive',
    limits: '`MAX_BYTES = 32 MiB`; client `MAX_CLIENT_BYTES = 4 MiB`',
    files: ['gateway/src/rates/arriving-bodies.ts'],
  },
  {
    resource: 'Bytes of replies that wait for their clients',
    limits: '`REPLY_MEMORY.total = 64 MiB`; tenant or client `REPLY_MEMORY.perKey = 32 MiB`',
    files: ['gateway/src/forwarding/message-forwarder.ts'],
  },
  {
    resource: 'Time in ms in which a client does not read its reply',
    limits: '`MIN_READING_SPEED.graceMs = 30000`; then its minimum speed is `MIN_READING_SPEED.bytesPerMs = 8`',
    files: ['lib/runtime/src/service/http-listener.ts', 'gateway/src/api/module.ts'],
  },
  {
    resource: 'Responses that wait to be stored',
    limits:
      '`CAPACITY.items = 10000`, `CAPACITY.bytes = 64 MiB`; tenant `SHARES.tenant = 1/2`; survey `SHARES.survey = 1/4`',
    files: ['services/response/src/rates/shared-capacity.ts', 'services/response/src/responses/group-commit.ts'],
  },
  {
    resource: 'Responses with a limit that wait to be stored',
    limits:
      '`CAPACITY.items = 5000`, `CAPACITY.bytes = 64 MiB`; tenant `SHARES.tenant = 1/2`; survey `SHARES.survey = 1/4`',
    files: ['services/response/src/rates/shared-capacity.ts', 'services/response/src/seats/commit.ts'],
  },
  {
    resource: 'Uploads of files in progress',
    limits: 'client `MAX_CONCURRENT_UPLOADS = 16`',
    files: ['services/response/src/rates/rate-limits.ts'],
  },
  {
    resource: 'Uploads of files in progress',
    limits: '`CONCURRENT.items = 64`; tenant `CONCURRENT_SHARES.tenant = 3/4`; survey `CONCURRENT_SHARES.survey = 1/2`',
    files: ['services/response/src/rates/shared-capacity.ts', 'services/response/src/files/upload-service.ts'],
  },
  {
    resource: 'Waits for changes',
    limits: '`LIMITS.total = 200`; tenant `LIMITS.perTenant = 20`',
    files: ['services/response/src/changes/change-service.ts'],
  },
  {
    resource: 'Surveys that wait to be counted, one at a time, round robin by tenant',
    limits: '`WAITING.maxKeys = 1000` tenants; tenant `WAITING.maxPerKey = 500`; survey 1',
    files: ['services/response/src/summaries/response-count-service.ts'],
  },
  {
    resource: 'Slow counts of responses, plans to delete them, and searches of exports with conditions',
    limits: '`SLOW_READS.total = 16`; tenant `SLOW_READS.perKey = 4`',
    files: ['services/response/src/responses/response-service.ts'],
  },
  {
    resource: 'Searches with conditions in progress',
    limits: '`SEARCHES.total = 64`; tenant `SEARCHES.perKey = 8`',
    files: ['services/response/src/responses/response-service.ts'],
  },
  {
    resource: 'Tests of conditions that wait, one at a time for some ms, round robin by tenant',
    limits: '`MAX_WAITING.maxKeys = 10000` tenants; tenant `MAX_WAITING.maxPerKey = 256`',
    files: ['services/response/src/responses/condition-service.ts'],
  },
  {
    resource: 'Filtered summaries in progress',
    limits: '`FILTERED_CONCURRENCY.total = 16`; tenant `FILTERED_CONCURRENCY.perKey = 4`',
    files: ['services/response/src/summaries/summary-service.ts'],
  },
  {
    resource: 'Surveys whose stored counts are read',
    limits: '`READ_CONCURRENCY.total = 8`; tenant `READ_CONCURRENCY.perKey = 4`; survey 1',
    files: ['services/response/src/summaries/summary-service.ts'],
  },
  {
    resource: 'Guesses of passwords that wait, one at a time, round robin',
    limits: '`MAX_WAITING.maxKeys = 64`; client after a wrong guess, or link, `MAX_WAITING.maxPerKey = 32`',
    files: ['services/response/src/surveys/password-guesses.ts'],
  },
  {
    resource: 'Passwords of links that wait to be hashed, round robin by tenant',
    limits: '`MAX_WAITING.maxKeys = 64`; tenant `MAX_WAITING.maxPerKey = 32`',
    files: ['services/survey/src/links/link-secrets.ts'],
  },
  {
    resource: 'Writes to surveys that wait',
    limits: 'project `MAX_WAITING = 1000`',
    files: ['services/survey/src/surveys/survey-store.ts'],
  },
  {
    resource: 'Uploads of imports in progress',
    limits: '`UPLOAD_LIMITS.total = 64`; tenant `UPLOAD_LIMITS.perTenant = 16`',
    files: ['services/import/src/imports/import-service.ts', 'services/import/src/import-request.ts'],
  },
  {
    resource: 'Imports of small files in progress',
    limits: '`CALL_LIMITS.total = 16`; tenant `CALL_LIMITS.perTenant = 4`',
    files: ['services/import/src/imports/import-service.ts'],
  },
  {
    resource: 'Plans of imports in progress',
    limits: '`PLAN_LIMITS.total = 8`; tenant `PLAN_LIMITS.perTenant = 2`',
    files: ['services/import/src/imports/import-service.ts'],
  },
  {
    resource: 'Threads that read files of calls and plans; others wait, round robin by tenant',
    limits: '`CALLS.slots = 2`; tenant `CALLS.slotsPerTenant = 1`',
    files: ['services/import/src/reading/reading.ts'],
  },
  {
    resource: 'Threads that read files of jobs; one of two runners takes only jobs of tenants without a running one',
    limits: '`JOBS.slots = 2`; tenant `JOBS.slotsPerTenant = 2`',
    files: ['services/import/src/reading/reading.ts'],
  },
  {
    resource: 'Tests of webhooks in progress',
    limits: '`CONCURRENCY.total = 64`; tenant `CONCURRENCY.perKey = 16`',
    files: ['services/webhook/src/deliveries/delivery-service.ts'],
  },
  {
    resource: 'Attempts of deliveries, fast ones',
    limits: '`fastSlots.total = 256`; tenant `fastSlots.perTenant = 128`',
    files: ['services/webhook/src/deliveries/scheduler.ts'],
  },
  {
    resource: 'Attempts of deliveries that wait for a slow receiver',
    limits: '`slowSlots.totalWithReserve = 6144`; tenant `slowSlots.perTenant = 1024`',
    files: ['services/webhook/src/deliveries/scheduler.ts'],
  },
  {
    resource: 'New deliveries in memory',
    limits: '`admitted.total = 1024`; tenant `admitted.perTenant = 512`',
    files: ['services/webhook/src/deliveries/scheduler.ts'],
  },
];

/** The page about all resources, in Markdown. */
export function describeSharedResources(): string {
  const rows = SHARED_RESOURCES.map(({ resource, limits, files }) => {
    const paths = files.map((file) => `\`${file}\``).join(', ');
    return `| ${resource} | ${limits} | ${paths} |\n`;
  });
  return `# Capacity of a process

The most that callers can hold of each resource within one process: all together, then one tenant, client or survey. Names are settings with their defaults, or constants of the code.

Of the slots of a service, one caller can hold three times the free ones (\`SHARE_OF_FREE_SLOTS\`), so at most three quarters.

| resource | at most | rejected by |
|---|---|---|
${rows.join('')}
Also limited: connections to MongoDB, 50 for each process. Deliveries and imports that wait in the database are served round robin by tenant.
`;
}
