import type { CreateWebhookRequest, UpdateWebhookRequest, Webhook } from '@survey/client';
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

/** The settings of a webhook, as in a form. A new webhook is active, and gets a generated secret. */
export interface WebhookForm extends Required<Omit<CreateWebhookRequest, 'active' | 'secret' | 'headers'>> {
  readonly headers: readonly HeaderRow[];
}

export const NEW_WEBHOOK: WebhookForm = {
  url: '',
  description: '',
  event_types: ['*'],
  headers: [],
  survey_ids: [],
  include_answers: false,
};

export function toForm({ url, description, event_types, headers, survey_ids, include_answers }: Webhook): WebhookForm {
  const rows = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
  return { url, description, event_types, headers: rows, survey_ids, include_answers };
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
  return { ...form, url: form.url.trim(), headers: Object.fromEntries(rowsOf(form.headers)) };
}

/**
 * The merge patch for the differences between two states of a form. Members without a change are left out, because some
 * changes need a further permission. Headers that were removed are null.
 */
export function toPatch(before: WebhookForm, after: WebhookForm): UpdateWebhookRequest {
  const [{ headers: oldHeaders, ...old }, { headers, ...next }] = [toSettings(before), toSettings(after)];
  const names = Object.keys(next) as (keyof typeof next)[]; // an object without others
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  const patch: UpdateWebhookRequest = Object.fromEntries(changed.map((name) => [name, next[name]]));
  const removed = Object.keys(oldHeaders).filter((name) => !(name in headers));
  const set = Object.entries(headers).filter(([name, value]) => oldHeaders[name] !== value);
  if (removed.length + set.length === 0) return patch;
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
