import { makeApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { readConfig } from '@survey/runtime/config/settings';
import { AppError } from '@survey/runtime/errors/app-error';
import { testLog } from '@survey/runtime/testing/test-log';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GatewayRuntime } from '../runtime.ts';
import { tokenSettings } from '../tokens/token-settings.ts';
import { createAuthenticationModule } from './module.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('rejects a withdrawn API key after three seconds, even if the clock was set back', async () => {
  let isWithdrawn = false;
  const checkApiKey = async () => {
    if (isWithdrawn) throw new AppError('API_KEY_NOT_FOUND');
    return { tenantId: 't', userId: 'u', permissions: [], version: '1', expiresAt: undefined };
  };
  // The module uses only these members.
  const runtime = { registry: new Registry(), log: testLog, identity: { client: () => ({ checkApiKey }) } };
  const env = { JWT_JWKS_URL: 'https://issuer.example/jwks', JWT_AUDIENCE: 'survey' };
  const { authenticator } = await createAuthenticationModule(
    runtime as unknown as GatewayRuntime,
    readConfig(tokenSettings, env),
  );
  const call = { requestId: 'request-1', endpoint: 'unknown', tenantId: undefined, keepAlive: true };
  const authenticate = () =>
    authenticator.authenticate([`Bearer ${makeApiKeySecret(Buffer.alloc(32))}`], {
      locals: { call },
    } as unknown as Response);

  await authenticate();
  isWithdrawn = true;
  await vi.advanceTimersByTimeAsync(3_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  await expect(authenticate()).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});
