import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { catalog } from '@survey/proto/catalog';
import {
  ApiKeyCheckService,
  type CheckApiKeyResponseSchema,
} from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { hashApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { createTokenVerifier, type TokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { readConfig } from '@survey/runtime/config/settings';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOf } from '@survey/runtime/rpc/call-context';
import { createGrpcServer } from '@survey/runtime/rpc/grpc-server';
import { implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { createGatewayApp } from '../app.ts';
import { settings } from '../config.ts';
import { createTestIssuer, type TestIssuer } from './test-issuer.ts';
import { createTestRateLimits } from './test-rate-limits.ts';
import { startServer, type TestHandler } from './test-server.ts';

export interface TestDependencies {
  readonly issuer: TestIssuer;
  readonly keys: TestKeys;
  /** Verifies the tokens that the gateway mints for a service. */
  verifierOf(service: string): Promise<TokenVerifier>;
  /** Permissions of users, by `tenant/subject`. */
  readonly grants: Map<string, readonly string[]>;
  /** Ids of revoked tokens, by `tenant/subject`. */
  readonly revokedTokens: Map<string, string[]>;
  /** Replies of identity for API keys, by secret. */
  readonly apiKeys: Map<string, MessageInitShape<typeof CheckApiKeyResponseSchema>>;
  /** Individual limits, by tenant. */
  readonly limits: ReturnType<typeof createTestRateLimits>['ownLimits'];
  /** Number of calls to identity for permissions and API keys. */
  readonly identityCalls: () => number;
  stopIdentity(): Promise<void>;
  /** Environment variables of a gateway that uses these servers. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the dependencies of a gateway: identity over gRPC, an issuer, and one HTTP server for all services. */
export async function createTestDependencies(backend: TestHandler): Promise<TestDependencies> {
  const keys = await createTestKeys();
  const issuer = createTestIssuer();
  const folder = await mkdtemp(join(tmpdir(), 'survey-gateway-'));
  await writeFile(join(folder, 'jwks.json'), JSON.stringify({ keys: [issuer.publicJwk] }));
  await writeFile(join(folder, 'internal.json'), JSON.stringify(keys.privateKeyOf('gateway')));
  const keySet = await createKeySet({ file: keys.jwksFile, log: testLog });
  const verifierOf = async (service: string) => createTokenVerifier({ service, keySet });
  const grants = new Map<string, readonly string[]>();
  const revokedTokens: TestDependencies['revokedTokens'] = new Map();
  const apiKeys: TestDependencies['apiKeys'] = new Map();
  const identity = await startIdentity(await verifierOf('identity'), { grants, revokedTokens, apiKeys });
  const services = await startServer(backend);
  const urls = Object.keys(catalog).flatMap((name) => [
    [`${name.toUpperCase()}_URL`, services.url],
    [`${name.toUpperCase()}_ADMIN_URL`, services.url],
  ]);
  return {
    issuer,
    keys,
    verifierOf,
    grants,
    revokedTokens,
    apiKeys,
    limits: identity.limits,
    identityCalls: identity.callCount,
    stopIdentity: identity.stop,
    env: {
      METRICS_PAGE: 'public',
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'silent',
      INTERNAL_KEY_FILE: join(folder, 'internal.json'),
      JWT_JWKS_FILE: join(folder, 'jwks.json'),
      IDENTITY_GRPC_ADDRESS: `127.0.0.1:${identity.port}`,
      // All tests share one client address, so its limits would affect unrelated tests.
      CLIENT_UNLIMITED_RANGES: '127.0.0.0/8',
      // The web apps are not built for unit tests.
      CONSOLE_ENABLED: 'false',
      RESPOND_ENABLED: 'false',
      ...Object.fromEntries(urls),
    },
    async close() {
      await Promise.all([services.close(), identity.stop()]);
      await Promise.all([keys.close(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

async function startIdentity(
  verifier: TokenVerifier,
  { grants, revokedTokens, apiKeys }: Pick<TestDependencies, 'grants' | 'revokedTokens' | 'apiKeys'>,
) {
  let identityCalls = 0;
  let stopped: Promise<void> | undefined;
  const handlers = implement(PermissionService, {
    async getPermissions(_request, context) {
      identityCalls += 1;
      const { tenantId, subject } = callOf(context).caller;
      const user = `${tenantId}/${subject}`;
      const permissions = grants.get(user);
      if (permissions === undefined) throw new AppError('USER_NOT_FOUND');
      const version = createHash('sha256').update(permissions.join()).digest('hex');
      return { role: 'test', permissions: [...permissions], version, revokedTokenIds: revokedTokens.get(user) ?? [] };
    },
  });
  const keyHandlers = implement(ApiKeyCheckService, {
    async checkApiKey({ secretHash }) {
      identityCalls += 1;
      const found = [...apiKeys].find(([secret]) => hashApiKeySecret(secret).equals(secretHash));
      if (found === undefined) throw new AppError('API_KEY_NOT_FOUND');
      return found[1];
    },
  });
  const rateLimits = createTestRateLimits();
  const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
  const server = createGrpcServer({ implementations: [handlers, keyHandlers, rateLimits.implementation], pipeline });
  const port = await server.listen(0, '127.0.0.1');
  return {
    port,
    limits: rateLimits.ownLimits,
    callCount: () => identityCalls,
    stop: () => {
      stopped ??= server.close();
      return stopped;
    },
  };
}

export interface TestGateway extends TestDependencies {
  readonly url: string;
  readonly port: number;
  readonly adminUrl: string;
}

export async function createTestGateway(
  backend: TestHandler,
  env: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const dependencies = await createTestDependencies(backend);
  const app = await createGatewayApp(readConfig(settings, { ...dependencies.env, ...env }), testLog);
  await app.start();
  const { port, adminPort } = app.ports();
  return {
    ...dependencies,
    url: `http://127.0.0.1:${port}`,
    port,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    async close() {
      await app.stop();
      await dependencies.close();
    },
  };
}
