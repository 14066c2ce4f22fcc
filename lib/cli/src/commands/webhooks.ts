import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type CreateWebhookRequest, type Webhook } from '@survey/client';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { readCredentials } from '../credentials.ts';
import { forwardDelivery } from '../forward-delivery.ts';
import { pollDeliveries } from '../poll-deliveries.ts';
import { deleteAbandonedWebhooks, describeListener, thisListener } from '../temporary-webhook.ts';

/** Earlier than any delivery. */
const BEGINNING = new Date(0);
/** Pauses before the retries of a forwarded delivery. The platform pauses longer, but here a developer waits. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000];

export const webhooksListen: Command = {
  usage: '[WEBHOOK_ID] [--events TYPES] [--survey SURVEY_ID] [--url URL] [--forward PORT_OR_URL]',
  summary: `prints new deliveries of a webhook as JSON lines, until Ctrl-C. It polls the platform, so this machine needs no
public address. Without WEBHOOK_ID, it creates a temporary webhook and deletes it at the end. TYPES are
separated by commas (default: *). --url is the receiver of the temporary webhook. Without it, the
platform posts to its own address. This fails, but does no harm: the command polls. --forward
sends each delivery to a receiver on this machine, signed with the secret of the temporary webhook,
or with WEBHOOK_SECRET. Until the reply is 2xx, the command retries after 0.5, 2 and 5 seconds.`,
  options: {
    events: { type: 'string' },
    survey: { type: 'string' },
    url: { type: 'string' },
    forward: { type: 'string' },
  },
  arity: [0, 1],
  run: async (context) => {
    const client = await context.client();
    const forward = toUrl(context.option('forward'));
    const [id] = context.args;
    if (id === undefined) return listenToTemporary(client, forward, context);
    for (const option of ['events', 'survey', 'url'])
      if (context.option(option) !== undefined) throw new UsageError(`--${option} is for a temporary webhook only`);
    const { include_answers: withAnswers } = await client.webhooks.get(id, { signal: context.signal });
    const { items } = await client.webhooks.listDeliveries(id, { limit: 1 }, { signal: context.signal }).page();
    // Continue after the newest delivery, not at the time of this machine: its clock may differ from the platform's.
    const since = items[0] === undefined ? BEGINNING : new Date(Date.parse(items[0].created_at) + 1);
    const secret = context.env['WEBHOOK_SECRET'] || undefined;
    await listen(client, { id, since, withAnswers, forward, secret }, context);
    return 0;
  },
};

function toUrl(forward: string | undefined): string | undefined {
  if (forward === undefined) return undefined;
  if (/^\d+$/.test(forward)) return `http://127.0.0.1:${forward}/`;
  if (!/^https?:\/\//.test(forward)) throw new UsageError('--forward is a port or a URL');
  return forward;
}

async function listenToTemporary(
  client: Client,
  forward: string | undefined,
  context: CommandContext,
): Promise<number> {
  const { option, env, note } = context;
  const survey = option('survey');
  const { url } = await readCredentials(env);
  const self = thisListener();
  for (const abandonedId of await deleteAbandonedWebhooks(client, self))
    note(`Deleted webhook ${abandonedId}, which a killed run has left`);
  const request: CreateWebhookRequest = {
    url: option('url') ?? `${url.replace(/\/+$/, '')}/health`,
    event_types: (option('events') ?? '*').split(',').map((type) => type.trim()),
    description: describeListener(self),
    ...(env['WEBHOOK_SECRET'] ? { secret: env['WEBHOOK_SECRET'] } : {}),
    ...(survey === undefined ? {} : { survey_ids: [survey] }),
  };
  const { id, secret } = await create(client, request, option('url') === undefined);
  note(`Webhook ${id}, secret ${secret}`);
  try {
    await listen(client, { id, since: BEGINNING, withAnswers: false, forward, secret }, context);
  } finally {
    await client.webhooks.delete(id);
    note(`Deleted webhook ${id}`);
  }
  return 0;
}

/**
 * Creates a webhook. Some installations reject webhooks to the address of the platform itself.
 *
 * @param isOwnAddress whether the webhook has this address
 */
async function create(client: Client, request: CreateWebhookRequest, isOwnAddress: boolean): Promise<Webhook> {
  try {
    return await client.webhooks.create(request);
  } catch (error) {
    if (!isOwnAddress || !(error instanceof ApiError) || error.code !== 'WEBHOOK_URL_REFUSED') throw error;
    const detail = `the platform sends no webhooks to its own address ${request.url}`;
    throw new UsageError(`${detail}: name a receiver with --url, which gets the deliveries, too`);
  }
}

interface ListenOptions {
  readonly id: string;
  readonly since: Date;
  readonly withAnswers: boolean;
  readonly forward: string | undefined;
  readonly secret: string | undefined;
}

/** Prints and forwards deliveries until Ctrl-C. */
async function listen(
  client: Client,
  { id, since, withAnswers, forward, secret }: ListenOptions,
  context: CommandContext,
): Promise<void> {
  const { print, note, signal } = context;
  note('Waiting for deliveries…');
  try {
    for await (const delivery of pollDeliveries(client, id, { since, withAnswers, signal })) {
      print(JSON.stringify(delivery.payload));
      if (forward === undefined) continue;
      for (const pauseMs of [...RETRY_PAUSES_MS, undefined]) {
        const { isDelivered, result } = await forwardDelivery(delivery, { url: forward, secret, signal });
        const retryNote = isDelivered || pauseMs === undefined ? '' : `; retry in ${pauseMs / 1_000} s`;
        note(`${delivery.event_type} ${delivery.id} → ${forward}: ${result}${retryNote}`);
        if (isDelivered || pauseMs === undefined) break;
        await sleep(pauseMs, undefined, { signal });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
