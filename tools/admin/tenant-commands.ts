import { connectOperator, type OperatorClient } from '@survey/local/operator/operator-client';
import { loadTokenToRevoke, type TokenToRevoke } from '@survey/local/operator/token-to-revoke';
import { UsageError } from '@survey/local/process/command-line';
import { defaultFolder, toPaths } from '@survey/local/stack/folder';
import { issueToken, MAX_LIFETIME_SECONDS } from '@survey/local/stack/issuer';
import { type Command, loadCurrent, type Values } from './command.ts';
import { grpcOf } from './installation.ts';
import { createKeyClient, type KeyClient, type OutcomeByService } from './key-client.ts';

const DEFAULT_EXPIRY_SECONDS = 3600;
/** The largest value that fits into the protobuf field. */
const MAX_LIMIT = 2 ** 31 - 1;

/** The folder of the keys of the local stack, which sign tokens. The stack need not run. */
const { keys } = toPaths(defaultFolder());

/** Commands about tenants, their users, tokens and keys. */
export const tenantCommands: Readonly<Record<string, Command>> = {
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
export class PartlyFailed extends Error {
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
  const installation = await loadCurrent();
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
  const installation = await loadCurrent();
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
