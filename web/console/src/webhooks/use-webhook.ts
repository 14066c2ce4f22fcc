import type { Webhook } from '@survey/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/session.tsx';

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
