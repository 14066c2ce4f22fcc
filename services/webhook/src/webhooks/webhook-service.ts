import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { isEventPattern } from '../events/event-catalog.ts';
import { ADDRESS_REFUSED, type CheckTarget, type TargetCheck } from '../targets/target.ts';
import type { DisabledReason, Webhook } from './webhook.ts';
import { checkOwnSecret, type WebhookSecrets } from './webhook-secret.ts';

/** Where webhooks are kept. */
export interface WebhookStore {
  insert(webhook: Webhook): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<Webhook | undefined>;
  list(tenantId: TenantId, query: PageQuery): Promise<Page<Webhook>>;
  /** False when there was none. */
  remove(tenantId: TenantId, id: string): Promise<boolean>;
  /** The webhooks of a tenant that ask for one of these patterns and are active, or were until they were disabled. */
  findSubscribed(tenantId: TenantId, patterns: readonly string[]): Promise<readonly Webhook[]>;
  /** Switches an active webhook off. */
  disable(tenantId: TenantId, id: string, reason: DisabledReason, time: Date): Promise<void>;
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
  readonly newId: () => string;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

export function createWebhookService({ store, secrets, checkTarget, clock, newId }: Dependencies) {
  return {
    /** Gives the secret along, for the only time. */
    async create(tenantId: TenantId, given: NewWebhook): Promise<{ webhook: Webhook; secret: string }> {
      const errors = [...checkEventTypes(given.eventTypes), ...checkOwnSecret(given.secret ?? '')];
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      demandAllowed(await checkTarget(given.url));
      const { secret = secrets.make(), url, eventTypes, active, description } = given;
      const [id, time] = [newId(), clock()];
      const webhook: Webhook = {
        id,
        tenantId,
        url,
        eventTypes,
        active,
        disabledReason: undefined,
        description,
        secret: await secrets.seal(tenantId, id, secret),
        createdAt: time,
        updatedAt: time,
      };
      await store.insert(webhook);
      return { webhook, secret };
    },

    list: (tenantId: TenantId, query: PageQuery) => store.list(tenantId, query),

    async get(tenantId: TenantId, id: string): Promise<Webhook> {
      const webhook = await store.find(tenantId, id);
      if (webhook === undefined) throw new AppError('WEBHOOK_NOT_FOUND');
      return webhook;
    },

    /** No attempt begins afterwards; what waits ends as failed when its turn comes. */
    async remove(tenantId: TenantId, id: string): Promise<void> {
      if (!(await store.remove(tenantId, id))) throw new AppError('WEBHOOK_NOT_FOUND');
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
