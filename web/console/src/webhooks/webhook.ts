import type { UpdateWebhookRequest, Webhook } from '@survey/client';
import { shorten } from '@survey/questionnaire/shorten';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';

const MAX_TITLE = 80;

/** Names a webhook by its description, or by its URL without the scheme. */
export function webhookTitle({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return shorten(description || url.replace(/^https?:\/\//, ''), MAX_TITLE);
}

/** `active`, `disabled` by the platform, or `paused` by a user. */
export function webhookState({ active, disabled_reason }: Pick<Webhook, 'active' | 'disabled_reason'>) {
  if (active) return 'active';
  return disabled_reason === undefined ? 'paused' : 'disabled';
}

export const DISABLED_REASONS: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  gone: 'The receiver replied with 410, so the platform disabled this webhook.',
  failing: 'All deliveries failed for days, so the platform disabled this webhook.',
};

/** A header in a form. */
export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

/** The settings of a webhook, as in a form. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  readonly headers: readonly HeaderRow[];
  readonly surveyIds: readonly string[];
  readonly includeAnswers: boolean;
}

export const NEW_WEBHOOK: WebhookForm = {
  url: '',
  description: '',
  eventTypes: ['*'],
  headers: [],
  surveyIds: [],
  includeAnswers: false,
};

export function toForm(webhook: Webhook): WebhookForm {
  return {
    url: webhook.url,
    description: webhook.description,
    eventTypes: webhook.event_types,
    headers: Object.entries(webhook.headers).map(([name, value]) => ({ name, value: String(value) })),
    surveyIds: webhook.survey_ids,
    includeAnswers: webhook.include_answers,
  };
}

/** Shown in place of a stored value. */
export const HIDDEN_VALUE = '********';

/** Whether stored values of headers must be entered again, because they are for another scheme, host or port. */
export function isOtherServer(storedUrl: string | undefined, url: string): boolean {
  if (storedUrl === undefined) return false;
  const next = URL.parse(url.trim());
  return next !== null && next.origin !== URL.parse(storedUrl)?.origin;
}

/** The settings for a new webhook. */
export function toSettings(form: WebhookForm) {
  return {
    url: form.url.trim(),
    description: form.description,
    event_types: [...form.eventTypes],
    headers: Object.fromEntries(rowsOf(form.headers)),
    survey_ids: [...form.surveyIds],
    include_answers: form.includeAnswers,
  };
}

/**
 * The merge patch for the differences between two states of a form. Members without a change are left out, because some
 * changes need a further permission. Headers that were removed are null.
 */
export function toPatch(before: WebhookForm, after: WebhookForm): UpdateWebhookRequest {
  const [old, next] = [toSettings(before), toSettings(after)];
  const changed = (name: keyof typeof next) => JSON.stringify(old[name]) !== JSON.stringify(next[name]);
  const names = (['url', 'description', 'event_types', 'survey_ids', 'include_answers'] as const).filter(changed);
  const patch: UpdateWebhookRequest = Object.fromEntries(names.map((name) => [name, next[name]]));
  if (!changed('headers')) return patch;
  const removed = Object.keys(old.headers).filter((name) => !(name in next.headers));
  const set = Object.entries(next.headers).filter(([name, value]) => old.headers[name] !== value);
  return { ...patch, headers: Object.fromEntries([...removed.map((name) => [name, null] as const), ...set]) };
}

function rowsOf(rows: readonly HeaderRow[]): readonly (readonly [string, string])[] {
  return rows.map(({ name, value }) => [name.trim(), value] as const).filter(([name]) => name !== '');
}

/** A webhook with the revision to send as `If-Match`. */
export interface WebhookRecord {
  readonly webhook: Webhook;
  readonly writeOptions: { readonly ifMatch?: string };
}

export function useWebhook(webhookId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', webhookId],
    queryFn: async ({ signal }): Promise<WebhookRecord> => {
      const { data, response } = await client.webhooks.get(webhookId, { signal }).withResponse();
      const etag = response.headers.get('etag');
      return { webhook: data, writeOptions: etag === null ? {} : { ifMatch: etag } };
    },
  });
}

/** Returns a function that reads everything about webhooks again. */
export function useRefreshWebhooks(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
}

export function useEventTypes() {
  const client = useClient();
  return useQuery({
    queryKey: ['webhook-event-types'],
    queryFn: ({ signal }) => client.webhooks.listEventTypes({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
