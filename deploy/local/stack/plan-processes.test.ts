import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPorts, type Ports } from '../process/ports.ts';
import { toKeyFiles } from './keys.ts';
import { claimGatewayPort, type Plan, planProcesses } from './plan-processes.ts';

let folder: string;
let ports: Ports;
let plan: Plan;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'processes-'));
  ports = createPorts(folder);
  const around = { mongodbUri: 'mongodb://m', kafkaBrokers: 'k:1', keys: toKeyFiles('/keys') };
  plan = await planProcesses(ports, await claimGatewayPort(ports, undefined), around);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const service = (name: string) => plan.services.find((planned) => planned.name === name);

describe('planProcesses', () => {
  it('plans different ports for all processes', () => {
    const used = [plan.gateway, ...plan.services].flatMap(({ env }) => [
      env.PORT,
      env.HTTP_PORT,
      env.GRPC_PORT,
      env.ADMIN_PORT,
    ]);
    const numbers = used.filter((port) => port !== undefined);
    expect(numbers).toHaveLength(2 + 5 * 3);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('binds all ports to the loopback address', () => {
    for (const { env } of [plan.gateway, ...plan.services]) expect(env.HOST).toBe('127.0.0.1');
  });

  it('configures each service with the servers, its keys, and only the services that it calls', () => {
    expect(service('import')?.env).toMatchObject({
      MONGODB_URI: 'mongodb://m',
      KAFKA_BROKERS: 'k:1',
      SETUP_ON_START: 'true',
      INTERNAL_KEY_FILE: '/keys/internal-import.json',
      ENCRYPTION_KEYRING_FILE: '/keys/encryption-keyring.json',
      SURVEY_GRPC_ADDRESS: service('survey')?.grpc,
      RESPONSE_GRPC_ADDRESS: service('response')?.grpc,
    });
    expect(service('survey')?.env).not.toHaveProperty('SURVEY_GRPC_ADDRESS');
  });

  it('does not limit clients on this machine', () => {
    expect(service('response')?.env).toHaveProperty('PUBLIC_UNLIMITED_RANGES', '127.0.0.0/8,::1/128');
    expect(plan.gateway.env).toHaveProperty('CLIENT_UNLIMITED_RANGES', '127.0.0.0/8,::1/128');
  });

  it.each([
    ['', 'http://localhost:*,http://127.0.0.1:*,http://[::1]:*'],
    ['https://forms.example', 'https://forms.example'],
  ])('lets pages on this machine use public routes, unless CORS_ORIGINS is set: %j', async (given, expected) => {
    vi.stubEnv('CORS_ORIGINS', given);
    const planned = await planProcesses(ports, 1, { mongodbUri: 'm', kafkaBrokers: 'k', keys: toKeyFiles('/keys') });
    expect(planned.gateway.env).toHaveProperty('CORS_ORIGINS', expected);
  });

  it('configures the gateway with all services and the issuer of tokens', () => {
    expect(plan.gateway.env).toMatchObject({
      WEBHOOK_URL: service('webhook')?.http,
      WEBHOOK_ADMIN_URL: service('webhook')?.admin,
      IDENTITY_GRPC_ADDRESS: plan.identityAddress,
      JWT_JWKS_FILE: '/keys/issuer-jwks.json',
    });
  });
});

describe('claimGatewayPort', () => {
  it('rejects a wanted port that is taken', async () => {
    const taken = Number(plan.gateway.env.PORT);
    await expect(claimGatewayPort(ports, taken)).rejects.toThrow(`port ${taken} is taken`);
  });
});
