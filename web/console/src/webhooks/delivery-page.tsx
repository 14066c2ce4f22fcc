import type { Delivery } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { CodeBlock, formatJson } from '../ui/code-block.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { QueryView } from '../ui/states.tsx';
import { Attempt } from './attempt.tsx';
import { deliveryStateOf, FAILURE_REASONS } from './delivery.ts';
import { DeliveryStatus } from './delivery-list.tsx';
import { useRefreshWebhooks, useWebhook, webhookTitle } from './webhook.ts';

const REFRESH_MS = 2_000;

/** One delivery: its attempts with the replies, and the request. */
export function DeliveryPage() {
  const { webhookId, deliveryId } = useParams({ from: '/webhooks/$webhookId/deliveries/$deliveryId' });
  const client = useClient();
  const delivery = useQuery({
    queryKey: ['webhooks', webhookId, 'deliveries', 'one', deliveryId],
    queryFn: ({ signal }) => client.webhooks.getDelivery(deliveryId, { signal }),
    refetchInterval: ({ state }) => (state.data && deliveryStateOf(state.data).isChanging ? REFRESH_MS : false),
  });
  return <QueryView query={delivery}>{(data) => <LoadedDelivery delivery={data} />}</QueryView>;
}

function LoadedDelivery({ delivery }: { readonly delivery: Delivery }) {
  const { webhook_id, event_type, attempts, failure_reason, next_attempt_at } = delivery;
  const canWrite = useCan()('webhooks:write');
  const { data } = useWebhook(webhook_id);
  const [isRedelivering, setRedelivering] = useState(false);
  const params = { webhookId: webhook_id };

  return (
    <Page
      title={event_type}
      breadcrumbs={[
        <Link key="list" to="/webhooks">
          Webhooks
        </Link>,
        <Link key="webhook" to="/webhooks/$webhookId" params={params}>
          <bdi>{data === undefined ? 'Webhook' : webhookTitle(data.webhook)}</bdi>
        </Link>,
      ]}
      status={<DeliveryStatus delivery={delivery} />}
      actions={canWrite && <Button onPress={() => setRedelivering(true)}>Redeliver</Button>}
    >
      <dl>
        <dt>Created</dt>
        <dd>
          <Time value={delivery.created_at} />
        </dd>
        {next_attempt_at !== undefined && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time value={next_attempt_at} />
            </dd>
          </>
        )}
        {failure_reason !== undefined && (
          <>
            <dt>Failed because</dt>
            <dd>{FAILURE_REASONS[failure_reason]}</dd>
          </>
        )}
        <dt>Delivery</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        <dt>Event</dt>
        <dd>
          <code>{delivery.event_id}</code>
        </dd>
      </dl>
      <section className="stack" aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        {attempts.length === 0 && <p className="soft">No attempt yet.</p>}
        {attempts.toReversed().map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} />
        ))}
      </section>
      <section className="stack" aria-labelledby="request">
        <h2 id="request">Request</h2>
        {data !== undefined && (
          <RequestHead delivery={delivery} url={data.webhook.url} headers={data.webhook.headers} />
        )}
        <CodeBlock label="Payload" code={formatJson(delivery.payload)} canCopy />
      </section>
      {isRedelivering && <Redeliver delivery={delivery} onClose={() => setRedelivering(false)} />}
    </Page>
  );
}

interface RequestHeadProps {
  readonly delivery: Delivery;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The headers of the last attempt. The API returns no signatures, and no values of the webhook's own headers. */
function RequestHead({ delivery: { id, attempts }, url, headers }: RequestHeadProps) {
  const last = attempts.at(-1);
  const lines = [
    `POST ${url}`,
    'Content-Type: application/json',
    `webhook-id: ${id}`,
    ...(last === undefined ? [] : [`webhook-timestamp: ${Math.floor(Date.parse(last.started_at) / 1000)}`]),
    'webhook-signature: v1,********',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
  ];
  return (
    <div>
      <CodeBlock label="Headers" code={lines.join('\n')} />
      <p className="soft small">The URL and your own headers are those that the webhook has now.</p>
    </div>
  );
}

function Redeliver({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  return (
    <FormDialog
      title="Redeliver?"
      submitLabel="Redeliver"
      isOpen
      onClose={onClose}
      onSubmit={() => client.webhooks.redeliverDelivery(delivery.id).finally(() => void refresh())}
    >
      <p>The platform sends the same content with the same id again. Your receiver may get it twice.</p>
    </FormDialog>
  );
}
