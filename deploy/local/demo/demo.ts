import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../process/files.ts';
import type { Ports } from '../process/ports.ts';
import type { toPaths } from '../stack/folder.ts';
import { createSurvey, createTenantWithOwner, issueOwnerToken, type Owner } from './demo-tenant.ts';
import { createGatewayClient, type GatewayClient } from './gateway-client.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A tenant with a survey and a webhook, to try things with. */
export interface Demo extends Owner {
  readonly surveyId: string;
  /** URL that lists the received webhooks. */
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

/** Content of demo.json, which later starts reuse. */
interface SavedDemo {
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly survey_id?: string;
  readonly webhook_id?: string;
  readonly webhook_url?: string;
  readonly webhook_secret?: string;
}

const DEFAULT_RECEIVER_PORT = 8090;

/** Starts the receiver of the demo's webhook, and creates everything that is missing. */
export async function startDemo(options: StartDemoOptions): Promise<Demo> {
  const saved = await loadSaved(options.paths.demoFile);
  const receiver = await startReceiver(await options.ports.claim(DEFAULT_RECEIVER_PORT));
  if (saved.webhook_secret !== undefined) receiver.setSecret(saved.webhook_secret);
  try {
    const demo = await prepare(options, saved, receiver);
    return { ...demo, receiverUrl: receiver.url, close: receiver.close };
  } catch (error) {
    await receiver.close();
    throw new Error(`cannot create the demo: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function prepare(options: StartDemoOptions, saved: SavedDemo, receiver: Receiver) {
  const { paths, gateway } = options;
  const owner = (await findOwner(saved, options)) ?? (await createDemoOwner(options));
  const client = createGatewayClient(gateway, owner.token);
  // Save after each step, so that the next start continues here. Records of an earlier tenant are replaced by new ones.
  const withOwner = { ...saved, tenant_id: owner.tenantId, user_id: owner.userId };
  await writePrivateFile(paths.demoFile, withOwner);
  const surveyId = (await findSurvey(saved, client)) ?? (await createSurvey(client));
  const withSurvey = { ...withOwner, survey_id: surveyId };
  await writePrivateFile(paths.demoFile, withSurvey);
  if (!(await hasWebhook(saved, receiver.url, client))) {
    await writePrivateFile(paths.demoFile, { ...withSurvey, ...(await createWebhook(saved, receiver, client)) });
  }
  return { ...owner, surveyId };
}

async function findOwner(saved: SavedDemo, { paths, gateway }: StartDemoOptions): Promise<Owner | undefined> {
  const { tenant_id: tenantId, user_id: userId } = saved;
  if (tenantId === undefined || userId === undefined) return undefined;
  const token = await issueOwnerToken(paths.keys, tenantId, userId);
  const found = await createGatewayClient(gateway, token).find('/v1/surveys?limit=1');
  return found && { tenantId, userId, token };
}

function createDemoOwner({ paths, identityAddress, log }: StartDemoOptions): Promise<Owner> {
  log('creating a demo tenant');
  return createTenantWithOwner({ name: 'Demo', keysFolder: paths.keys, identityAddress });
}

/** Finds the survey of an earlier start, if it still accepts responses. */
async function findSurvey({ survey_id: id }: SavedDemo, client: GatewayClient): Promise<string | undefined> {
  const survey = id === undefined ? undefined : await client.find(`/v1/surveys/${id}`);
  return survey?.status === 'active' ? id : undefined;
}

async function hasWebhook(saved: SavedDemo, url: string, client: GatewayClient): Promise<boolean> {
  if (saved.webhook_id === undefined || saved.webhook_url !== url) return false;
  return (await client.find(`/v1/webhooks/${saved.webhook_id}`)) !== undefined;
}

async function createWebhook(
  { webhook_id: oldId }: SavedDemo,
  { url, setSecret }: Receiver,
  client: GatewayClient,
): Promise<SavedDemo> {
  if (oldId !== undefined) await client.remove(`/v1/webhooks/${oldId}`);
  const { id, secret } = await client.post('/v1/webhooks', { url, event_types: ['*'] });
  setSecret(String(secret));
  return { webhook_id: String(id), webhook_url: url, webhook_secret: String(secret) };
}

async function loadSaved(file: string): Promise<SavedDemo> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SavedDemo;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
