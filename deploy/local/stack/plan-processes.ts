import type { Backend } from '@survey/proto/catalog';
import type { Ports } from '../process/ports.ts';
import { AUDIENCE, ISSUER, MAX_LIFETIME_SECONDS } from './issuer.ts';
import type { KeyFiles } from './keys.ts';
import { gatewayEnv, serviceNames, services } from './services.ts';

export type Variables = Readonly<Record<string, string>>;

/** A Node process of the stack, before its start. */
export interface ProcessPlan {
  readonly name: string;
  /** Path of its script in the repository. */
  readonly script: string;
  readonly env: Variables;
  /** Addresses as in stack.json. */
  readonly http: string;
  readonly grpc?: string;
  readonly admin: string;
}

interface PlanContext {
  readonly mongodbUri: string;
  readonly kafkaBrokers: string;
  readonly keys: KeyFiles;
}

export interface Plan {
  readonly gateway: ProcessPlan;
  readonly services: readonly ProcessPlan[];
  /** Address (host:port) of identity's gRPC, for commands of operators. */
  readonly identityAddress: string;
}

interface ServiceAddresses {
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly adminPort: number;
}

const HOST = '127.0.0.1';
const DEFAULT_GATEWAY_PORT = 8080;
const DEFAULT_GATEWAY_ADMIN_PORT = 8081;
const DEFAULT_SERVICE_PORT = 8101;

/** Claims the given port, and fails if it is taken. Without one, claims the default port or the next free one. */
export function claimGatewayPort(ports: Ports, port: number | undefined): Promise<number> {
  return port === undefined ? ports.claim(DEFAULT_GATEWAY_PORT) : ports.claimExactly(port);
}

/** Chooses all ports except the gateway's, and plans the start of each process. */
export async function planProcesses(ports: Ports, gatewayPort: number, context: PlanContext): Promise<Plan> {
  const adminPort = await ports.claim(DEFAULT_GATEWAY_ADMIN_PORT);
  const addresses = new Map<Backend, ServiceAddresses>();
  for (const [index, name] of serviceNames.entries()) {
    const preferred = DEFAULT_SERVICE_PORT + index * 10;
    const httpPort = await ports.claim(preferred);
    const grpcPort = await ports.claim(preferred + 1);
    addresses.set(name, { httpPort, grpcPort, adminPort: await ports.claim(preferred + 2) });
  }
  return {
    gateway: planGateway({ port: gatewayPort, adminPort }, addresses, context),
    services: [...addresses].map(([name, ownAddresses]) => planService(name, ownAddresses, addresses, context)),
    identityAddress: toGrpcAddress(addresses.get('identity')),
  };
}

function planGateway(
  { port, adminPort }: { readonly port: number; readonly adminPort: number },
  addresses: ReadonlyMap<Backend, ServiceAddresses>,
  { keys }: PlanContext,
): ProcessPlan {
  const serviceUrls = [...addresses].flatMap(([name, { httpPort, adminPort }]) => [
    [`${name.toUpperCase()}_URL`, toUrl(httpPort)],
    [`${name.toUpperCase()}_ADMIN_URL`, toUrl(adminPort)],
  ]);
  return {
    name: 'gateway',
    script: 'gateway/src/main.ts',
    env: {
      ...Object.fromEntries(serviceUrls),
      ...grpcAddresses(['identity'], addresses),
      HOST,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      INTERNAL_KEY_FILE: keys.internalKeyOf('gateway'),
      JWT_JWKS_FILE: keys.issuerJwks,
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: AUDIENCE,
      JWT_MAX_LIFETIME_S: String(MAX_LIFETIME_SECONDS),
      ...gatewayEnv,
      CORS_ORIGINS: process.env['CORS_ORIGINS'] || gatewayEnv.CORS_ORIGINS,
    },
    http: toUrl(port),
    admin: toUrl(adminPort),
  };
}

function planService(
  name: Backend,
  { httpPort, grpcPort, adminPort }: ServiceAddresses,
  addresses: ReadonlyMap<Backend, ServiceAddresses>,
  { mongodbUri, kafkaBrokers, keys }: PlanContext,
): ProcessPlan {
  const { calls, env } = services[name];
  return {
    name,
    script: `services/${name}/src/main.ts`,
    env: {
      HOST,
      HTTP_PORT: String(httpPort),
      GRPC_PORT: String(grpcPort),
      ADMIN_PORT: String(adminPort),
      MONGODB_URI: mongodbUri,
      KAFKA_BROKERS: kafkaBrokers,
      KAFKA_TOPIC_REPLICATION: '1',
      SETUP_ON_START: 'true',
      INTERNAL_KEY_FILE: keys.internalKeyOf(name),
      INTERNAL_JWKS_FILE: keys.internalJwks,
      ENCRYPTION_KEYRING_FILE: keys.encryptionKeyring,
      ...grpcAddresses(calls, addresses),
      ...env,
    },
    http: toUrl(httpPort),
    grpc: toGrpcAddress(addresses.get(name)),
    admin: toUrl(adminPort),
  };
}

function grpcAddresses(names: readonly Backend[], addresses: ReadonlyMap<Backend, ServiceAddresses>): Variables {
  return Object.fromEntries(
    names.map((name) => [`${name.toUpperCase()}_GRPC_ADDRESS`, toGrpcAddress(addresses.get(name))]),
  );
}

function toGrpcAddress(addresses: ServiceAddresses | undefined): string {
  return `${HOST}:${addresses?.grpcPort}`;
}

function toUrl(port: number): string {
  return `http://${HOST}:${port}`;
}
