import { randomUUID } from 'node:crypto';
import { type Backend, topics } from '@survey/proto/catalog';
import { kafkaSettings } from '@survey/runtime/config/kafka-settings';
import { readConfig } from '@survey/runtime/config/settings';
import { AppError } from '@survey/runtime/errors/app-error';
import { createDeadLetters, type DeadLetters } from '@survey/runtime/kafka/dead-letters';
import type { EventMessage } from '@survey/runtime/kafka/event-message';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { toKafkaSecurity } from '@survey/runtime/kafka/kafka-security';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { resetOffsets } from '@survey/runtime/kafka/reset-offsets';
import { createLog } from '@survey/runtime/log/create-log';
import { toDemoCommands } from './demo/demo-commands.ts';
import { createDemoTenant } from './demo/demo-tenant.ts';
import { examine } from './doctor/doctor.ts';
import { toText } from './doctor/finding.ts';
import indexes from './doctor/indexes.json' with { type: 'json' };
import { repair } from './doctor/repair.ts';
import { loadCommandConfig } from './operator/command-config.ts';
import { consumerGroupsOf, consumerOf } from './operator/consumer-groups.ts';
import { grpcOf, loadInstallation } from './operator/installation.ts';
import { createKeyClient, type KeyClient, type OutcomeByService } from './operator/key-client.ts';
import { connectOperator, type OperatorClient } from './operator/operator-client.ts';
import { loadTokenToRevoke, type TokenToRevoke } from './operator/token-to-revoke.ts';
import manifest from './package.json' with { type: 'json' };
import { findCommand, type OptionValues, runCommandLine, UsageError } from './process/command-line.ts';
import { defaultFolder, toPaths } from './stack/folder.ts';
import { issueToken, MAX_LIFETIME_SECONDS } from './stack/issuer.ts';

const USAGE = `usage: npm run --silent admin -- COMMAND

  demo [--name NAME]
  doctor [--json]
  repair [--execute]
  tenant create --name NAME --owner-email EMAIL
  tenant list [--limit NUMBER] [--after ID]
  tenant show --tenant ID
  tenant suspend --tenant ID
  tenant resume --tenant ID
  tenant limits --tenant ID [--requests-per-minute NUMBER] [--concurrent-requests NUMBER]
  tenant delete --tenant ID --confirm ID
  user add --tenant ID --email EMAIL --role viewer|analyst|editor|admin|owner [--permission PERMISSION]...
  token --tenant ID --user ID [--expires-in SECONDS]
  token revoke --tenant ID --token-file FILE
  token revoke --tenant ID --user ID --token-id ID
  keys rotate --tenant ID
  keys rewrap
  dead-letters list --topic TOPIC [--command-config FILE]
  dead-letters replay --topic TOPIC [--command-config FILE]
  dead-letters discard --topic TOPIC --partition NUMBER --offset NUMBER [--command-config FILE]
  offsets reset --to-datetime TIME [--execute] [--command-config FILE]

demo             creates a new tenant with an owner, an API key, a published survey and responses, and prints commands to
                 try. Its default name is "Demo" and the time. The API key does not expire, the token expires in a day.
doctor           checks the installation and says what to do: settings, MongoDB, indexes, Kafka, topics, keys, certificates,
                 clocks and versions. Its exit code is 1 if something must be done.
repair           lists missing indexes and topics. --execute creates them, as set-up does. "unchecked" lists services whose
                 settings are not known here.
tenant list      lists all tenants, oldest first, 100 unless --limit says otherwise. If "has_more" is true, continue with
                 --after and the last id.
tenant suspend   rejects the tenant's tokens and API keys, and responses to its surveys, until "tenant resume". Import
                 jobs pause. Webhooks of earlier events continue.
tenant limits    replaces all limits of the tenant; an omitted one returns to the default. Applies within seconds.
tenant delete    erases the tenant and all its data for good. --confirm repeats the id. "tenant show" lists the services
                 that are done. Deleting again notifies all services again.
token revoke     rejects a token within five seconds, until it expires. Give the token in a file, or give its user and
                 its jti. A token without jti is valid until it expires or its user is removed.
keys rotate      creates a new data key of the tenant in each service.
keys rewrap      wraps all data keys with the active key of the keyring. When "remaining" is 0 in all services, the other
                 keys can be removed from the keyring. Both commands fail if one of the services fails.
dead-letters     messages of a topic, such as survey.events, that a consumer could not process. "list" prints up to 100
                 with their causes. "replay" sends them to all consumers of the topic again; consumers ignore repeats.
                 "discard" skips the oldest one of a partition, for one that cannot be read: give its offset.
offsets reset    lists the changes that let all consumers of the platform read again from a time, such as
                 2026-11-22T03:00:00Z. --execute makes them. Stop the services first. Groups of other applications stay.
--command-config properties of a Kafka client, as for Kafka's own scripts. Without bootstrap.servers, the addresses of the
                 installation are used. Without a file, KAFKA_BROKERS and the other Kafka variables of this process are
                 used. If they are not set, those of the installation are used.

Prints one line of JSON; "doctor" prints text, and "demo" also prints its commands, on standard error. Uses the stack of
"npm start", the stack in the folder LOCAL_DIR, or the installation that the file SURVEY_INSTALLATION describes.
`;

const DEFAULT_EXPIRY_SECONDS = 3600;
/** The largest value that fits into the protobuf field. */
const MAX_LIMIT = 2 ** 31 - 1;

const options = {
  name: { type: 'string' },
  'owner-email': { type: 'string' },
  tenant: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'concurrent-requests': { type: 'string' },
  confirm: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  permission: { type: 'string', multiple: true },
  user: { type: 'string' },
  'token-id': { type: 'string' },
  'token-file': { type: 'string' },
  'expires-in': { type: 'string' },
  topic: { type: 'string' },
  'command-config': { type: 'string' },
  'to-datetime': { type: 'string' },
  partition: { type: 'string' },
  offset: { type: 'string' },
  execute: { type: 'boolean' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  after: { type: 'string' },
} as const;

type Values = OptionValues<typeof options>;

interface Command {
  readonly required: readonly (keyof Values)[];
  readonly optional?: readonly (keyof Values)[];
  /**
   * Runs the command, and returns an object or a text to print. `values` has all required options, and no options that
   * the command does not have.
   */
  readonly run: (values: Values) => Promise<object | string>;
}

const loadThis = () => loadInstallation(defaultFolder(), process.env);
/** The folder of the keys of the local stack, which sign tokens. The stack need not run. */
const { keys } = toPaths(defaultFolder());

const COMMANDS: Readonly<Record<string, Command>> = {
  demo: {
    required: [],
    optional: ['name'],
    async run({ name = `Demo ${new Date().toISOString()}` }) {
      const installation = await loadThis();
      const { gateway, keys_folder: keysFolder } = installation;
      const demo = await createDemoTenant({
        name,
        gateway,
        keysFolder,
        identityAddress: grpcOf(installation, 'identity'),
        identityName: installation.processes['identity']?.tls_name,
      });
      console.error(toDemoCommands({ gateway, token: demo.apiKey, surveyId: demo.surveyId }));
      return {
        name,
        tenant_id: demo.tenantId,
        user_id: demo.userId,
        token: demo.token,
        api_key: demo.apiKey,
        survey_id: demo.surveyId,
        response_ids: demo.responseIds,
      };
    },
  },
  doctor: {
    required: [],
    optional: ['json'],
    async run({ json = false }) {
      const findings = await examine(await loadThis(), { clock: () => new Date(), version: manifest.version, indexes });
      if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
      return json ? { findings } : toText(findings);
    },
  },
  repair: {
    required: [],
    optional: ['execute'],
    run: async ({ execute = false }) => ({
      executed: execute,
      ...(await repair(await loadThis(), { indexes, execute })),
    }),
  },
  'tenant create': {
    required: ['name', 'owner-email'],
    run: async ({ name = '', 'owner-email': ownerEmail = '' }) => {
      const { tenantId, userId } = await withOperator((operator) => operator.createTenant({ name, ownerEmail }));
      return { tenant_id: tenantId, user_id: userId };
    },
  },
  'tenant list': {
    required: [],
    optional: ['limit', 'after'],
    async run({ limit, after }) {
      const page = { ...(limit === undefined ? {} : { limit: toLimit('limit', limit) }), ...(after ? { after } : {}) };
      const { tenants, hasMore } = await withOperator((operator) => operator.listTenants(page));
      return { tenants, has_more: hasMore };
    },
  },
  'tenant show': {
    required: ['tenant'],
    run: ({ tenant = '' }) => withOperator((operator) => operator.showTenant(tenant)),
  },
  'tenant suspend': {
    required: ['tenant'],
    run: ({ tenant = '' }) => withOperator((operator) => operator.suspendTenant(tenant)),
  },
  'tenant resume': {
    required: ['tenant'],
    run: ({ tenant = '' }) => withOperator((operator) => operator.resumeTenant(tenant)),
  },
  'tenant limits': {
    required: ['tenant'],
    optional: ['requests-per-minute', 'concurrent-requests'],
    async run({ tenant = '', 'requests-per-minute': requests, 'concurrent-requests': concurrent }) {
      const limits = {
        ...(requests === undefined ? {} : { requestsPerMinute: toLimit('requests-per-minute', requests) }),
        ...(concurrent === undefined ? {} : { concurrentRequests: toLimit('concurrent-requests', concurrent) }),
      };
      return withOperator((operator) => operator.setTenantLimits(tenant, limits));
    },
  },
  'tenant delete': {
    required: ['tenant', 'confirm'],
    async run({ tenant = '', confirm }) {
      if (confirm !== tenant) throw new UsageError('--confirm is not the id of the tenant');
      return withOperator((operator) => operator.deleteTenant(tenant));
    },
  },
  'user add': {
    required: ['tenant', 'email', 'role'],
    optional: ['permission'],
    run: async ({ tenant: tenantId = '', email = '', role = '', permission: permissions = [] }) => {
      const { userId } = await withOperator((operator) => operator.addUser({ tenantId, email, role, permissions }));
      return { user_id: userId };
    },
  },
  'keys rotate': {
    required: ['tenant'],
    async run({ tenant = '' }) {
      // A data key for an unknown tenant would never be removed.
      await withOperator((operator) => operator.showTenant(tenant));
      return withKeys((client) => client.rotate(tenant));
    },
  },
  'keys rewrap': { required: [], run: () => withKeys((client) => client.rewrap()) },
  'dead-letters list': {
    required: ['topic'],
    optional: ['command-config'],
    run: async (values) => ({
      dead_letters: (await withDeadLetters(values, (letters) => letters.list())).map(toListedDeadLetter),
    }),
  },
  'dead-letters replay': {
    required: ['topic'],
    optional: ['command-config'],
    run: async (values) => ({ replayed: await withDeadLetters(values, (letters) => letters.replay()) }),
  },
  'dead-letters discard': {
    required: ['topic', 'partition', 'offset'],
    optional: ['command-config'],
    async run(values) {
      const { partition = '', offset = '' } = values;
      if (!/^\d{1,9}$/.test(partition) || !/^\d{1,19}$/.test(offset))
        throw new UsageError('--partition and --offset must be numbers');
      await withDeadLetters(values, (letters) => letters.discard({ partition: Number(partition), offset }));
      return { discarded: 1 };
    },
  },
  'offsets reset': {
    required: ['to-datetime'],
    optional: ['execute', 'command-config'],
    async run({ 'to-datetime': time = '', execute = false, 'command-config': file }) {
      const to = toTime(time);
      const { kafka, installation } = await connectKafka(file);
      const groups = consumerGroupsOf(installation);
      return { executed: execute, offsets: await resetOffsets(kafka, { groups, to, execute }) };
    },
  },
  'token revoke': {
    required: ['tenant'],
    optional: ['user', 'token-id', 'token-file'],
    async run({ tenant = '', ...values }) {
      const token = await loadToken(tenant, values);
      await withOperator((operator) => operator.revokeToken(tenant, token));
      const { userId, tokenId, expiresAt } = token;
      return { tenant_id: tenant, user_id: userId, token_id: tokenId, expires_at: expiresAt.toISOString() };
    },
  },
  token: {
    required: ['tenant', 'user'],
    optional: ['expires-in'],
    run: async ({ tenant: tenantId = '', user: userId = '', 'expires-in': expiresIn }) => ({
      token: await issueToken(keys, { tenantId, userId, expiresInSeconds: toSeconds(expiresIn) }),
    }),
  },
};

/** The error of an operation that failed on some services and succeeded on others. */
class PartlyFailed extends Error {
  override readonly name = 'PartlyFailed';
  readonly done: OutcomeByService['done'];

  constructor({ done, failed }: OutcomeByService) {
    super(
      Object.entries(failed)
        .map(([name, error]) => `${name}: ${error.message}`)
        .join('\n'),
    );
    this.done = done;
  }
}

async function withOperator<T>(action: (operator: OperatorClient) => Promise<T>): Promise<T> {
  const installation = await loadThis();
  const { keys_folder: keysFolder, processes } = installation;
  const address = grpcOf(installation, 'identity');
  const operator = await connectOperator(keysFolder, address, processes['identity']?.tls_name);
  try {
    return await action(operator);
  } finally {
    operator.close();
  }
}

async function withKeys(action: (client: KeyClient) => Promise<OutcomeByService>): Promise<object> {
  const installation = await loadThis();
  const client = await createKeyClient(
    installation.keys_folder,
    (name) => grpcOf(installation, name),
    (name) => installation.processes[name]?.tls_name,
  );
  try {
    const outcome = await action(client);
    if (Object.keys(outcome.failed).length > 0) throw new PartlyFailed(outcome);
    return outcome.done;
  } finally {
    client.close();
  }
}

async function withDeadLetters<T>(
  { topic, 'command-config': file }: Values,
  action: (letters: DeadLetters) => Promise<T>,
): Promise<T> {
  const known = Object.values(topics).find((name) => name === topic);
  if (known === undefined) throw new UsageError(`--topic must be one of ${Object.values(topics).join(', ')}`);
  const { kafka } = await connectKafka(file, consumerOf(known));
  const publisher = createPublisher({ kafka });
  try {
    return await action(createDeadLetters({ kafka, publisher, topic: known, newId: randomUUID }));
  } finally {
    await publisher.close();
  }
}

/**
 * @param file value of `--command-config`. Without it, the variables of this process are used if they name brokers,
 * else those of the installation
 * @param service the service whose variables are used, if they are those of the installation
 */
async function connectKafka(file: string | undefined, service: Backend = 'identity') {
  const given = file === undefined ? process.env : await loadCommandConfig(file);
  const own = given['KAFKA_BROKERS'] ? given : undefined;
  const installation = await loadThis().catch((error: unknown) => {
    // The addresses are known, so no installation is needed.
    if (own === undefined) throw error;
    return undefined;
  });
  const installed = installation?.processes[service]?.env ?? {};
  // A file has all security settings, so those of the installation must not be added. Only the addresses may be
  // missing.
  const { KAFKA_BROKERS = '' } = installed;
  const config = readConfig(kafkaSettings, own ?? (file === undefined ? installed : { ...given, KAFKA_BROKERS }));
  const kafka = createKafka({
    brokers: config.kafkaBrokers,
    clientId: 'admin',
    security: toKafkaSecurity(config),
    log: createLog({ service: 'admin', level: 'silent' }),
  });
  return { kafka, installation };
}

/** Omits the value, which may contain personal data. Operators can read it in Kafka at the given offset. */
function toListedDeadLetter({ partition, offset, key, headers }: EventMessage): object {
  const marks = Object.entries(headers).filter(([name]) => /^(ce|dead_letter)_/.test(name));
  return { partition, offset, key, ...Object.fromEntries(marks) };
}

function requireOptions(name: string, { required }: Command, values: Values): void {
  for (const option of required) if (!values[option]) throw new UsageError(`${name} needs --${option}`);
}

/** Finds the token that the options name: by a file, or by user and id. */
async function loadToken(
  tenant: string,
  { user, 'token-id': tokenId, 'token-file': file }: Values,
): Promise<TokenToRevoke> {
  // The gateway's maximum lifetime of tokens. A revocation must not expire before the token does.
  const expiresAt = new Date(Date.now() + MAX_LIFETIME_SECONDS * 1000);
  if (file !== undefined && user === undefined && tokenId === undefined)
    return loadTokenToRevoke(file, tenant, expiresAt);
  if (file === undefined && user !== undefined && tokenId !== undefined) return { userId: user, tokenId, expiresAt };
  throw new UsageError('token revoke needs --token-file, or --user and --token-id');
}

function toSeconds(text: string | undefined): number {
  if (text === undefined) return DEFAULT_EXPIRY_SECONDS;
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= MAX_LIFETIME_SECONDS) return seconds;
  throw new UsageError(`--expires-in is a whole number of seconds, 1 to ${MAX_LIFETIME_SECONDS}, not ${text}`);
}

function toLimit(option: string, text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--${option} is a whole number, 1 to ${MAX_LIMIT}, not ${text}`);
}

/** A time with a zone. */
function toTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(`--to-datetime is a time with a zone, such as 2026-11-22T03:00:00Z, not ${text}`);
}

function toMessage(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  return [error.message, ...error.errors.map(({ path, detail }) => `  ${path}: ${detail}`)].join('\n');
}

await runCommandLine({
  usage: USAGE,
  options,
  allowPositionals: true,
  toMessage,
  async run(parsed) {
    const command = findCommand(COMMANDS, parsed, ({ required, optional = [] }) => [...required, ...optional]);
    const { values, positionals } = parsed;
    requireOptions(positionals.join(' '), command, values);
    try {
      const result = await command.run(values);
      console.log(typeof result === 'string' ? result : JSON.stringify(result));
    } catch (error) {
      if (error instanceof PartlyFailed) console.log(JSON.stringify(error.done));
      throw error;
    }
  },
});
