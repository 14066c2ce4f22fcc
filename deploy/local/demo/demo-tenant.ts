import { connectOperator } from '../operator/operator-client.ts';
import { issueToken } from '../stack/issuer.ts';
import { loadIssuerKey } from '../stack/keys.ts';
import { demoResponses, demoSurvey } from './demo-survey.ts';
import { createGatewayClient, type GatewayClient } from './gateway-client.ts';

/** A user who owns a tenant. */
export interface Owner {
  readonly tenantId: string;
  readonly userId: string;
  /** Valid for a day. */
  readonly token: string;
}

export interface DemoTenant extends Owner {
  /** Secret of an API key with all permissions of the owner. It does not expire. */
  readonly apiKey: string;
  readonly surveyId: string;
  readonly responseIds: readonly string[];
}

interface DemoTenantOptions {
  readonly name: string;
  readonly gateway: string;
  readonly keysFolder: string;
  readonly identityAddress: string;
  /** Host name in identity's certificate, if it differs from the host of the address. */
  readonly identityName?: string | undefined;
}

const TOKEN_SECONDS = 24 * 60 * 60;
/** More than a production tenant has, so that the demo can show the speed of the platform. */
const REQUESTS_PER_MINUTE = 100_000;

/** Creates a tenant with an owner, an API key, a published survey and a few responses. */
export async function createDemoTenant(options: DemoTenantOptions): Promise<DemoTenant> {
  const owner = await createTenantWithOwner(options);
  const client = createGatewayClient(options.gateway, owner.token);
  const apiKey = await createApiKey(client);
  const surveyId = await createSurvey(client);
  const responseIds: string[] = [];
  for (const response of demoResponses) {
    const { id } = await client.post(`/v1/surveys/${surveyId}/responses`, response);
    responseIds.push(String(id));
  }
  return { ...owner, apiKey, surveyId, responseIds };
}

export async function createTenantWithOwner(options: Omit<DemoTenantOptions, 'gateway'>): Promise<Owner> {
  const { name, keysFolder, identityAddress, identityName } = options;
  // Without this key, no token can be issued, and the new tenant would be of no use.
  await loadIssuerKey(keysFolder);
  const operator = await connectOperator(keysFolder, identityAddress, identityName);
  try {
    const { tenantId, userId } = await operator.createTenant({ name, ownerEmail: 'owner@demo.invalid' });
    await operator.setTenantLimits(tenantId, { requestsPerMinute: REQUESTS_PER_MINUTE });
    return { tenantId, userId, token: await issueOwnerToken(keysFolder, tenantId, userId) };
  } finally {
    operator.close();
  }
}

export function issueOwnerToken(keysFolder: string, tenantId: string, userId: string): Promise<string> {
  return issueToken(keysFolder, { tenantId, userId, expiresInSeconds: TOKEN_SECONDS });
}

export async function createSurvey(client: GatewayClient): Promise<string> {
  const { id } = await client.post('/v1/surveys', demoSurvey);
  await client.post(`/v1/surveys/${id}/publish`);
  return String(id);
}

async function createApiKey(client: GatewayClient): Promise<string> {
  const { permissions } = (await client.find('/v1/me')) ?? {};
  const { secret } = await client.post('/v1/api-keys', { name: 'Demo', permissions });
  return String(secret);
}
