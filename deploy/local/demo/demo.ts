import { readFile } from 'node:fs/promises';
import { connectOperator } from '../operator/operator-client.ts';
import type { Ports } from '../process/ports.ts';
import { writePrivateFile } from '../process/write-private-file.ts';
import type { toPaths } from '../stack/folder.ts';
import { issueToken } from '../stack/issuer.ts';
import { demoSurvey } from './demo-survey.ts';
import { createGatewayClient, type GatewayClient } from './gateway-client.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A tenant to try things with. */
export interface Demo {
  readonly tenantId: string;
  readonly userId: string;
  /** Of the tenant's owner, valid for a day. */
  readonly token: string;
  /** A published survey. */
  readonly surveyId: string;
  /** Shows the webhooks that arrived. */
  readonly receiverUrl: string;
  readonly close: () => Promise<void>;
}

interface StartDemoOptions {
  readonly paths: ReturnType<typeof toPaths>;
  readonly gateway: string;
  readonly identityAddress: string;
  readonly ports: Ports;
  readonly log: (line: string) => void;
}

/** What demo.json keeps, so that the next start finds it again. */
interface Kept {
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly survey_id?: string;
  readonly webhook_id?: string;
  readonly webhook_url?: string;
  readonly webhook_secret?: string;
}

const TOKEN_SECONDS = 24 * 60 * 60;
/** More than a production tenant has: one may want to see what the platform can do. */
const REQUESTS_PER_MINUTE = 100_000;
const USUAL_RECEIVER_PORT = 8090;

/** Starts the receiver of the demo's webhook, and makes what of the demo is not there yet or not any more. */
export async function startDemo(options: StartDemoOptions): Promise<Demo> {
  const kept = await loadKept(options.paths.demoFile);
  const receiver = await startReceiver(await options.ports.claim(USUAL_RECEIVER_PORT));
  if (kept.webhook_secret !== undefined) receiver.setSecret(kept.webhook_secret);
  try {
    const demo = await prepare(options, kept, receiver);
    return { ...demo, receiverUrl: receiver.url, close: receiver.close };
  } catch (error) {
    await receiver.close();
    throw new Error(`the demo cannot be made: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function prepare(options: StartDemoOptions, kept: Kept, receiver: Receiver) {
  const { paths, gateway } = options;
  const owner = (await findOwner(kept, options)) ?? (await makeOwner(options));
  const client = createGatewayClient(gateway, owner.token);
  // Each step is kept as soon as it is done. What belongs to a tenant of before is not found, and so made anew.
  const withOwner = { ...kept, tenant_id: owner.tenantId, user_id: owner.userId };
  await writePrivateFile(paths.demoFile, withOwner);
  const surveyId = (await findSurvey(kept, client)) ?? (await makeSurvey(client));
  const withSurvey = { ...withOwner, survey_id: surveyId };
  await writePrivateFile(paths.demoFile, withSurvey);
  if (!(await hasWebhook(kept, receiver.url, client))) {
    await writePrivateFile(paths.demoFile, { ...withSurvey, ...(await makeWebhook(kept, receiver, client)) });
  }
  return { ...owner, surveyId };
}

interface Owner {
  readonly tenantId: string;
  readonly userId: string;
  readonly token: string;
}

async function findOwner(kept: Kept, { paths, gateway }: StartDemoOptions): Promise<Owner | undefined> {
  const { tenant_id: tenantId, user_id: userId } = kept;
  if (tenantId === undefined || userId === undefined) return undefined;
  const token = await issueOwnerToken(paths, tenantId, userId);
  const found = await createGatewayClient(gateway, token).find('/v1/surveys?limit=1');
  return found && { tenantId, userId, token };
}

async function makeOwner({ paths, identityAddress, log }: StartDemoOptions): Promise<Owner> {
  log('making a demo tenant');
  const operator = await connectOperator(paths.keys, identityAddress);
  try {
    const { tenantId, userId } = await operator.createTenant({ name: 'Demo', ownerEmail: 'owner@demo.invalid' });
    await operator.setTenantLimits(tenantId, { requestsPerMinute: REQUESTS_PER_MINUTE });
    return { tenantId, userId, token: await issueOwnerToken(paths, tenantId, userId) };
  } finally {
    operator.close();
  }
}

function issueOwnerToken(paths: StartDemoOptions['paths'], tenantId: string, userId: string): Promise<string> {
  return issueToken(paths.keys, { tenantId, userId, expiresInSeconds: TOKEN_SECONDS });
}

/** An open survey: one that the user closed or deleted cannot show anything. */
async function findSurvey({ survey_id: id }: Kept, client: GatewayClient): Promise<string | undefined> {
  const survey = id === undefined ? undefined : await client.find(`/v1/surveys/${id}`);
  return survey?.status === 'active' ? id : undefined;
}

async function makeSurvey(client: GatewayClient): Promise<string> {
  const { id } = await client.post('/v1/surveys', demoSurvey);
  await client.post(`/v1/surveys/${id}/publish`);
  return String(id);
}

async function hasWebhook(kept: Kept, url: string, client: GatewayClient): Promise<boolean> {
  if (kept.webhook_id === undefined || kept.webhook_url !== url) return false;
  return (await client.find(`/v1/webhooks/${kept.webhook_id}`)) !== undefined;
}

async function makeWebhook(
  { webhook_id: old }: Kept,
  { url, setSecret }: Receiver,
  client: GatewayClient,
): Promise<Kept> {
  if (old !== undefined) await client.remove(`/v1/webhooks/${old}`);
  const { id, secret } = await client.post('/v1/webhooks', { url, event_types: ['*'] });
  setSecret(String(secret));
  return { webhook_id: String(id), webhook_url: url, webhook_secret: String(secret) };
}

async function loadKept(file: string): Promise<Kept> {
  try {
    // Written by this file alone.
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
