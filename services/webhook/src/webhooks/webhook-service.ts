import type { JsonObject } from '@bufbuild/protobuf';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing, type EditTarget, FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import type { CheckTarget } from '../targets/target.ts';
import type { SurveyLookup } from './survey-client.ts';
import {
  applyChange,
  checkEventTypes,
  checkSurveyIds,
  type DisabledReason,
  originOf,
  requireAllowed,
  sendsMoreAnswers,
  type Webhook,
  type WebhookHeader,
  type WebhookSettings,
} from './webhook.ts';
import { disabledEvent, webhookAuditEvent } from './webhook-events.ts';
import {
  checkHeaderSizes,
  checkHiddenValues,
  checkMovedValues,
  type GivenHeader,
  type HeaderEncryption,
  readHeaders,
} from './webhook-headers.ts';
import { checkOwnSecret, type WebhookSecrets } from './webhook-secret.ts';

/** Stores webhooks. Each write stores its events too (outbox). */
export interface WebhookStore {
  /** Returns the stored webhook; the first one for a repeated id. Undefined if the tenant has `max` webhooks. */
  insert(webhook: Webhook, event: OutboxEvent, max: number): Promise<Webhook | undefined>;
  find(tenantId: TenantId, id: string): Promise<Webhook | undefined>;
  list(tenantId: TenantId, query: PageQuery): Promise<Page<Webhook>>;
  /** Returns false if the stored revision is no longer `webhook.revision - 1`. */
  replace(webhook: Webhook, event: OutboxEvent): Promise<boolean>;
  /** Like `replace`. If `failingSince` is set, also returns false if the stored start of failures differs. */
  disable(webhook: Webhook, events: readonly OutboxEvent[], failingSince: Date | undefined): Promise<boolean>;
  /** Returns false if the revision has changed. */
  remove(webhook: Webhook, event: OutboxEvent): Promise<boolean>;
}

export interface NewWebhook extends WebhookSettings {
  readonly headers: JsonObject;
  /** The tenant's own secret. If undefined, one is generated. */
  readonly secret?: string | undefined;
}

/** The members to change. `headers` is a merge patch; if it is present but undefined, all headers are removed. */
export interface WebhookChange extends Partial<WebhookSettings> {
  readonly headers?: JsonObject | undefined;
}

interface Dependencies {
  readonly store: WebhookStore;
  readonly surveys: SurveyLookup;
  readonly secrets: WebhookSecrets;
  readonly headers: HeaderEncryption;
  readonly checkTarget: CheckTarget;
  readonly headerPrefix: string;
  readonly clock: () => Date;
}

/** Maximum number of webhooks of a tenant. It limits how many deliveries one event creates. */
const MAX_WEBHOOKS = 100;

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Manages the webhooks of tenants, and disables those whose receivers fail. */
export function createWebhookService(dependencies: Dependencies) {
  const { store, surveys, secrets, headers, checkTarget, headerPrefix, clock } = dependencies;

  async function get(tenantId: TenantId, id: string): Promise<Webhook> {
    const webhook = await store.find(tenantId, id);
    if (webhook === undefined) throw new AppError('WEBHOOK_NOT_FOUND');
    return webhook;
  }

  /** Validates the settings. Returns the headers. */
  async function check({ url, eventTypes, headers = {}, secret }: WebhookChange & Pick<NewWebhook, 'secret'>) {
    const { given, problems } = readHeaders(headers, headerPrefix);
    const errors = [
      ...(eventTypes === undefined ? [] : checkEventTypes(eventTypes)),
      ...problems,
      ...(secret === undefined ? [] : checkOwnSecret(secret)),
    ];
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
    if (url !== undefined) requireAllowed(await checkTarget(url));
    return given;
  }

  /** Checks added survey ids: each must be a survey of the tenant. Earlier ids may belong to deleted surveys. */
  async function checkSurveys(
    context: ChangeContext,
    given: readonly string[],
    before: readonly string[],
  ): Promise<void> {
    const added = given.filter((id) => !before.includes(id));
    if (added.length === 0) return;
    const known = new Set([...before, ...(await surveys.findExisting(context, added))]);
    const errors = checkSurveyIds(given, known);
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  }

  async function mergeHeaders(
    before: Webhook,
    given: readonly GivenHeader[],
    url: string,
  ): Promise<readonly WebhookHeader[]> {
    const origin = originOf({ url });
    const moved = origin === originOf(before) ? [] : checkMovedValues(given, before.headers);
    const hidden = [...checkHiddenValues(given, before.headers), ...moved];
    if (hidden.length > 0) throw new AppError('VALIDATION_FAILED', { errors: hidden });
    const merged = await headers.merge(before, given, origin);
    const errors = checkHeaderSizes(merged.map(({ name, value }) => ({ name, size: value.ct.length() })));
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
    return merged;
  }

  return {
    get,

    /** Returns the webhook with its secret, which is shown only here. For a repeated id, returns the first webhook. */
    async create(context: ChangeContext, id: string, given: NewWebhook): Promise<{ webhook: Webhook; secret: string }> {
      const { tenantId } = context;
      const existing = await store.find(tenantId, id);
      if (existing !== undefined) return { webhook: existing, secret: await secrets.open(existing, existing.secret) };
      const givenHeaders = await check(given);
      await checkSurveys(context, given.surveyIds, []);
      const { headers: _, secret = secrets.make(), ...settings } = given;
      const time = clock();
      const withoutHeaders: Webhook = {
        id,
        tenantId,
        ...settings,
        hasIncludedAnswers: given.includeAnswers,
        disabledReason: undefined,
        headers: [],
        secret: await secrets.seal({ id, tenantId }, secret),
        rotationId: undefined,
        previousSecret: undefined,
        revision: FIRST_REVISION,
        createdAt: time,
        updatedAt: time,
      };
      const webhook = { ...withoutHeaders, headers: await mergeHeaders(withoutHeaders, givenHeaders, given.url) };
      const stored = await store.insert(
        webhook,
        webhookAuditEvent(context, 'webhook.created', undefined, webhook),
        MAX_WEBHOOKS,
      );
      if (stored === undefined)
        throw new AppError('STATE_CONFLICT', {
          detail: `A tenant can have at most ${MAX_WEBHOOKS} webhooks; delete one first`,
        });
      return { webhook: stored, secret: await secrets.open(stored, stored.secret) };
    },

    list: (tenantId: TenantId, query: PageQuery) => store.list(tenantId, query),

    /**
     * Changes a webhook. Setting `active` clears `disabledReason`.
     *
     * @param requireAnswerPermission called if the change sends more answers, or sends answers to another receiver
     */
    async change(edit: EditTarget, change: WebhookChange, requireAnswerPermission: () => void): Promise<Webhook> {
      const { context, id } = edit;
      const read = () => get(context.tenantId, id);
      const { headers: patch, ...settings } = change;
      const given = await check(change);

      async function headersAfter(before: Webhook): Promise<readonly WebhookHeader[]> {
        const isCleared = Object.hasOwn(change, 'headers') && patch === undefined;
        return isCleared ? [] : mergeHeaders(before, given, settings.url ?? before.url);
      }

      return changeLatest(edit, {
        read,
        async write(before) {
          const switched = change.active === undefined ? {} : { disabledReason: undefined };
          const hasIncludedAnswers = before.hasIncludedAnswers || settings.includeAnswers === true;
          const fields = { ...settings, ...switched, hasIncludedAnswers, headers: await headersAfter(before) };
          if (changesNothing(before, fields)) return before;
          const after = applyChange(before, fields, clock());
          if (sendsMoreAnswers(before, after)) requireAnswerPermission();
          await checkSurveys(context, after.surveyIds, before.surveyIds);
          const event = webhookAuditEvent(context, 'webhook.updated', before, after);
          return (await store.replace(after, event)) ? after : undefined;
        },
      });
    },

    /** Deletes a webhook. No attempt starts afterwards: pending deliveries fail when due. */
    async remove({ context, id, ifMatch }: EditTarget): Promise<void> {
      const read = () => get(context.tenantId, id);
      const write = async (webhook: Webhook) => {
        const event = webhookAuditEvent(context, 'webhook.deleted', webhook, applyChange(webhook, {}, clock()));
        return (await store.remove(webhook, event)) ? webhook : undefined;
      };
      await changeLatest({ ifMatch }, { read, write });
    },

    /** Disables a webhook and publishes `webhook.disabled`. Returns false in the same cases as the store. */
    async disable(
      webhook: Webhook,
      reason: DisabledReason,
      traceparent: string,
      failingSince?: Date,
    ): Promise<boolean> {
      const context = { tenantId: webhook.tenantId, actor: 'webhook', requestId: '', traceparent };
      const disabled = applyChange(webhook, { active: false, disabledReason: reason }, clock());
      const events = [
        webhookAuditEvent(context, 'webhook.disabled', webhook, disabled),
        disabledEvent(disabled, reason, traceparent),
      ];
      return store.disable(disabled, events, failingSince);
    },
  };
}
