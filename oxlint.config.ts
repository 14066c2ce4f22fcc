/** Modules that only some files may import, with the message for other files. */
const guarded = {
  mongodb: { group: ['mongodb'], message: 'Only stores talk to MongoDB.' },
  kafka: { group: ['kafkajs', 'kafkajs/**'], message: 'Only lib/runtime/kafka talks to Kafka.' },
  grpc: {
    group: ['@grpc/**', '@connectrpc/connect-node'],
    message: 'Only lib/runtime/rpc knows what carries the calls.',
  },
  express: { group: ['express', 'http-proxy-middleware'], message: 'Only the gateway uses Express.' },
  webCalls: {
    group: ['undici'],
    message: 'Only the gateway forwards requests, and only the sender of webhooks calls addresses of tenants.',
  },
  tracing: {
    group: ['@opentelemetry/**', 'import-in-the-middle/**'],
    message: 'Only lib/runtime/telemetry makes spans: its rules keep secrets out of them.',
  },
  generated: {
    group: ['@survey/proto/**', '!@survey/proto/catalog'],
    message:
      'Generated code stays in handlers, mappers, clients, modules and app.ts; the rest is written over domain types.',
  },
  systemScope: {
    group: ['@survey/runtime/mongo/system-scope', '**/system-scope.ts'],
    message: 'Only relays, sweepers, key rotation and public look-ups may leave the scope of a tenant.',
  },
  runtime: {
    group: ['@survey/runtime/**'],
    message: 'Published packages and web apps contain nothing of the platform.',
  },
  builtin: { group: ['node:*'], message: 'Published libraries and web apps run in browsers, too.' },
  testing: { group: ['**/testing/**', 'vitest', 'fast-check'], message: 'This is for tests.' },
  processes: {
    group: ['@survey/*-service', '@survey/*-service/**', '@survey/gateway', '@survey/gateway/**', '**/services/**'],
    message: 'Processes talk by generated clients or events, never by import.',
  },
  tools: {
    group: ['@survey/local', '@survey/local/**', '@survey/tools', '@survey/tools/**', '@survey/test/**'],
    message: 'This is not shipped.',
  },
} as const;

/**
 * Folders of lib/runtime/src, in order. A file may import only from its own and from earlier folders; tests may import
 * from all.
 */
const runtimeFolders = [
  'errors',
  'json',
  'flow',
  'config',
  'auth',
  'telemetry',
  'log',
  'mongo',
  'crypto',
  'kafka',
  'tenants',
  'rpc',
  'rest',
  'idempotency',
  'service',
  'testing',
];

type Guarded = keyof typeof guarded;

const all = Object.keys(guarded) as Guarded[];
const pure: readonly Guarded[] = ['runtime', 'builtin'];

/** Guarded modules that files may import. The last matching entry applies. */
const grants: readonly { readonly files: readonly string[]; readonly may: readonly Guarded[] }[] = [
  { files: ['**/*.{ts,tsx}'], may: pure },
  { files: ['lib/{questionnaire,client,webhooks}/**'], may: [] },
  { files: ['lib/cli/**'], may: ['builtin'] },
  { files: ['services/*/src/**/*-store.ts'], may: [...pure, 'mongodb'] },
  { files: ['services/*/src/**/*-{handler,mapper,events,client,decoder}.ts'], may: [...pure, 'generated'] },
  { files: ['services/*/src/app.ts'], may: [...pure, 'mongodb', 'generated', 'systemScope'] },
  { files: ['services/*/src/**/module.ts'], may: [...pure, 'generated', 'systemScope'] },
  {
    // These stores query across tenants: for due work (deliveries, replays, imports, erasures, purges, retention),
    // or to find the tenant behind a public address, a link or an API key.
    files: [
      'services/identity/src/api-keys/api-key-store.ts',
      'services/identity/src/tenants/tenant-store.ts',
      'services/import/src/imports/import-store.ts',
      'services/webhook/src/deliveries/{delivery,webhook-state}-store.ts',
      'services/webhook/src/replays/replay-store.ts',
      'services/webhook/src/retention/expired-store.ts',
      'services/response/src/surveys/{definition,link}-store.ts',
      'services/response/src/files/file-store.ts',
      'services/response/src/seats/{ledger,ledger-recount}-store.ts',
      'services/response/src/progress/progress-store.ts',
      'services/response/src/responses/{deleted-response,response-document,write-window}-store.ts',
      'services/response/src/retention/retention-store.ts',
      'services/survey/src/links/{link,slug}-store.ts',
      'services/survey/src/surveys/survey-purge-store.ts',
      'services/survey/src/surveys/survey-store.ts',
    ],
    may: [...pure, 'mongodb', 'systemScope'],
  },
  { files: ['services/webhook/src/sending/**'], may: [...pure, 'webCalls'] },
  { files: ['gateway/**'], may: [...pure, 'express', 'generated'] },
  { files: ['web/**'], may: [] },
  { files: ['gateway/src/forwarding/**'], may: [...pure, 'express', 'webCalls'] },
  { files: ['lib/openapi/**'], may: [...pure, 'generated'] },
  { files: ['lib/formats/src/**/*-mapper.ts'], may: [...pure, 'generated'] },
  ...runtimeFolders.map((folder) => ({ files: [`lib/runtime/src/${folder}/**`], may: pure })),
  { files: ['lib/runtime/src/errors/**'], may: [...pure, 'generated'] },
  { files: ['lib/runtime/src/telemetry/**'], may: [...pure, 'tracing'] },
  { files: ['lib/runtime/src/mongo/**'], may: [...pure, 'mongodb'] },
  { files: ['lib/runtime/src/crypto/**'], may: [...pure, 'mongodb', 'systemScope'] },
  { files: ['lib/runtime/src/kafka/**'], may: [...pure, 'kafka', 'mongodb', 'generated'] },
  { files: ['lib/runtime/src/tenants/**'], may: [...pure, 'mongodb', 'generated', 'systemScope'] },
  { files: ['lib/runtime/src/rpc/**'], may: [...pure, 'generated', 'grpc'] },
  { files: ['lib/runtime/src/rest/**'], may: [...pure, 'generated'] },
  { files: ['lib/runtime/src/idempotency/idempotency-store.ts'], may: [...pure, 'mongodb'] },
  { files: ['lib/runtime/src/service/follow-tenants.ts'], may: [...pure, 'generated', 'systemScope'] },
  { files: ['lib/runtime/src/service/key-module.ts'], may: [...pure, 'generated'] },
  { files: ['lib/runtime/src/service/service-runtime.ts'], may: [...pure, 'kafka', 'mongodb'] },
  {
    files: ['**/*.test.ts', '**/testing/**', 'test/**', 'tools/**', 'deploy/**', 'vitest.config.ts'],
    may: all.filter((name) => name !== 'processes'),
  },
  // The API document describes the events of the webhook service.
  { files: ['proto/generate.ts'], may: all },
  // The doctor reads the settings of processes as they do.
  { files: ['tools/doctor/process-settings.ts'], may: all },
];

function importRule({ files, may }: (typeof grants)[number]) {
  const patterns = Object.entries(guarded)
    .filter(([name]) => !may.some((granted) => granted === name))
    .map(([, { group, message }]) => ({ group: [...group], message }));
  return { 'no-restricted-imports': ['error', { patterns: [...patterns, ...laterFolders(files)] }] };
}

/** Later folders, which files of this folder may not import. Empty for files outside of the runtime. */
function laterFolders([path = '']: readonly string[]) {
  const [, own = ''] = /^lib\/runtime\/src\/([a-z]+)\//.exec(path) ?? [];
  if (!runtimeFolders.includes(own)) return [];
  return runtimeFolders.slice(runtimeFolders.indexOf(own) + 1).map((folder) => ({
    group: [`../${folder}/**`, `@survey/runtime/${folder}/**`],
    message: `${own}/ comes before ${folder}/ in the order of the runtime's folders (oxlint.config.ts).`,
  }));
}

/** Files that may read environment variables: the reader of settings, and files that are not part of a process. */
const environmentReaders = [
  'lib/runtime/src/service/run-process.ts',
  // OpenTelemetry has its own variables.
  'lib/runtime/src/telemetry/preload.ts',
  '**/testing/**',
  'lib/cli/src/main.ts',
  'proto/*.ts',
  'deploy/local/**',
  'test/**',
  'tools/**',
  '{vitest,tsdown}.config.ts',
  'docs/samples/**',
  '**/*.test.ts',
];

export default {
  plugins: ['typescript', 'node'],
  categories: { correctness: 'off' },
  rules: {
    'typescript/await-thenable': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'node/no-process-env': 'error',
    'max-lines': ['error', { max: 500, skipBlankLines: true }],
  },
  overrides: [
    ...grants.map((grant) => ({ files: grant.files, rules: importRule(grant) })),
    { files: ['**/*.test.ts', '**/*.test.tsx'], rules: { 'max-lines': 'off' } },
    { files: environmentReaders, rules: { 'node/no-process-env': 'off' } },
  ],
  ignorePatterns: ['proto/gen/**', 'gateway/vendor/**', 'lib/*/src/generated/**'],
};
