import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { Actor } from '@survey/runtime/rpc/call-context';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import { isEventPattern } from '../events/event-catalog.ts';
import { ADDRESS_REFUSED, type CheckTarget, type TargetCheck } from '../targets/target.ts';
import { changed, type DisabledReason, type Webhook } from './webhook.ts';
import { webhookEvent } from './webhook-events.ts';
import { checkOwnSecret, type WebhookSecrets } from './webhook-secret.ts';

/** Where webhooks are kept. An event goes in with the write that it tells of. */
export interface WebhookStore {
  /** Gives the webhook that is stored: of an id that comes again it is the one of the first time. */
  insert(webhook: Webhook, event: OutboxEvent): Promise<Webhook>;
  find(tenantId: TenantId, id: string): Promise<Webhook | undefined>;
  list(tenantId: TenantId, query: PageQuery): Promise<Page<Webhook>>;
  /** The webhooks of a tenant that ask for one of these patterns and are active, or were until they were disabled. */
  findSubscribed(tenantId: TenantId, patterns: readonly string[]): Promise<readonly Webhook[]>;
  /** Replaces the revision before, if it is there still. */
  replace(webhook: Webhook, event: OutboxEvent): Promise<void>;
  /** False when this revision is not there any more. */
  remove(webhook: Webhook, event: OutboxEvent): Promise<boolean>;
}

export interface NewWebhook {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly description: string;
  /** The tenant's own; one is made when it is absent. */
  readonly secret?: string | undefined;
}

interface Dependencies {
  readonly store: WebhookStore;
  readonly secrets: WebhookSecrets;
  readonly checkTarget: CheckTarget;
  readonly clock: () => Date;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

export function createWebhookService({ store, secrets, checkTarget, clock }: Dependencies) {
  async function get(tenantId: TenantId, id: string): Promise<Webhook> {
    const webhook = await store.find(tenantId, id);
    if (webhook === undefined) throw new AppError('WEBHOOK_NOT_FOUND');
    return webhook;
  }

  return {
    get,

    /** Gives the secret along, for the only time; for an id that comes again it is the webhook of the first time. */
    async create(by: Actor, id: string, given: NewWebhook): Promise<{ webhook: Webhook; secret: string }> {
      const errors = [...checkEventTypes(given.eventTypes), ...checkOwnSecret(given.secret ?? '')];
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      demandAllowed(await checkTarget(given.url));
      const { secret = secrets.make(), url, eventTypes, active, description } = given;
      const time = clock();
      const webhook: Webhook = {
        id,
        tenantId: by.tenantId,
        url,
        eventTypes,
        active,
        disabledReason: undefined,
        description,
        secret: await secrets.seal(by.tenantId, id, secret),
        revision: FIRST_REVISION,
        createdAt: time,
        updatedAt: time,
      };
      const stored = await store.insert(webhook, webhookEvent(by, 'webhook.created', undefined, webhook));
      return { webhook: stored, secret: await secrets.open(stored) };
    },

    list: (tenantId: TenantId, query: PageQuery) => store.list(tenantId, query),

    /** No attempt begins afterwards; what waits ends as failed when its turn comes. */
    async remove({ by, id, ifMatch }: Edit): Promise<void> {
      const read = () => get(by.tenantId, id);
      const write = async (webhook: Webhook) => {
        const event = webhookEvent(by, 'webhook.deleted', webhook, changed(webhook, {}, clock()));
        return (await store.remove(webhook, event)) ? webhook : undefined;
      };
      await changeLatest({ ifMatch }, { read, write });
    },

    /** Switches a webhook off, unless it was changed meanwhile: then its next delivery decides. */
    async disable(webhook: Webhook, reason: DisabledReason, traceparent: string): Promise<void> {
      const by = { tenantId: webhook.tenantId, actor: 'webhook', requestId: '', traceparent };
      const disabled = changed(webhook, { active: false, disabledReason: reason }, clock());
      await store.replace(disabled, webhookEvent(by, 'webhook.disabled', webhook, disabled));
    },
  };
}

function checkEventTypes(patterns: readonly string[]): readonly FieldProblem[] {
  return patterns.flatMap((pattern, index) =>
    isEventPattern(pattern)
      ? []
      : [{ path: `/event_types/${index}`, code: 'UNKNOWN_EVENT_TYPE', detail: 'There is no event type of this name' }],
  );
}

function demandAllowed(check: TargetCheck): void {
  if (check.kind === 'allowed') return;
  const problems = check.kind === 'refused' ? check.problems : [ADDRESS_REFUSED];
  const errors = problems.map((problem) => ({ path: '/url', ...problem }));
  // Why a name does not resolve is for our logs alone.
  const cause = check.kind === 'unresolved' ? check.cause : undefined;
  throw new AppError('WEBHOOK_URL_REFUSED', { errors, cause });
}
