import type { ServiceImpl } from '@connectrpc/connect';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { Registry } from 'prom-client';
import { createTokenVerifier } from '../../auth/internal-token.ts';
import { createKeySet } from '../../auth/key-set.ts';
import { createGrpcServer } from '../../rpc/grpc-server.ts';
import { type Implementation, implement } from '../../rpc/implementation.ts';
import type { PeerTls } from '../../rpc/peer-tls.ts';
import { createPipeline, type Pipeline } from '../../rpc/pipeline.ts';
import { testLog } from '../test-log.ts';

/** Operations of a test server: one that may be retried, and one that may not. */
export interface TestHandlers {
  readonly getPermissions?: ServiceImpl<typeof PermissionService>['getPermissions'];
  readonly createTenant?: ServiceImpl<typeof TenantAdminService>['createTenant'];
}

interface Options extends TestHandlers {
  readonly name?: string;
  readonly jwksFile: string;
  readonly unauthenticated?: readonly Implementation[];
  /** Replaces the operations of `TestHandlers`. */
  readonly serves?: readonly Implementation[];
  readonly tls?: PeerTls;
  readonly maxAgeMs?: number;
  readonly ageGraceMs?: number;
  readonly host?: string;
  readonly port?: number;
}

export interface TestServer {
  readonly port: number;
  readonly address: string;
  readonly pipeline: Pipeline;
  close(graceMs?: number): Promise<void>;
}

/** A gRPC server that verifies tokens like every service. */
export async function startTestServer(options: Options): Promise<TestServer> {
  const { name = 'identity', jwksFile, host = '127.0.0.1', getPermissions, createTenant, ...rest } = options;
  const { serves = toImplementations(options), ...serverOptions } = rest;
  const keySet = await createKeySet({ file: jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service: name, keySet });
  const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
  const server = createGrpcServer({ implementations: serves, pipeline, ...serverOptions });
  const port = await server.listen(options.port ?? 0, host);
  return { port, address: `${host}:${port}`, pipeline, close: server.close };
}

/** Converts test handlers to implementations of the contract. */
export function toImplementations({ getPermissions, createTenant }: TestHandlers): readonly Implementation[] {
  const nothing = () => ({});
  const permissions = implement(PermissionService, { getPermissions: getPermissions ?? nothing });
  const tenants = implement(TenantAdminService, {
    createTenant: createTenant ?? nothing,
    addUser: nothing,
    showTenant: nothing,
    listTenants: nothing,
    suspendTenant: nothing,
    resumeTenant: nothing,
    setTenantLimits: nothing,
    deleteTenant: nothing,
    revokeToken: nothing,
  });
  return [permissions, tenants];
}

export const someTenant = { name: 'Zoë', ownerEmail: 'zoe@example.org' };
