import type { Delivery } from '@survey/client';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { SelectField, TimeFilter } from '../ui/fields.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { Empty, Status } from '../ui/states.tsx';
import {
  DELIVERY_STATUS_LABELS,
  DELIVERY_STATUSES,
  type DeliverySearch,
  deliveryStateOf,
  toDeliveriesQuery,
} from './delivery.ts';
import { StartReplay } from './replay-list.tsx';
import { useEventTypes } from './webhook.ts';

/** The deliveries of a webhook, with filters. */
export function DeliveryList() {
  const client = useClient();
  const canWrite = useCan()('webhooks:write');
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  const search = useSearch({ from: '/webhooks/$webhookId/' });
  const navigate = useNavigate({ from: '/webhooks/$webhookId/' });
  const [isReplaying, setReplaying] = useState(false);
  const eventTypes = useEventTypes();
  const deliveries = usePages(
    ['webhooks', webhookId, 'deliveries', search],
    (cursor, signal) => {
      const query = { ...toDeliveriesQuery(search), ...(cursor === undefined ? {} : { cursor }) };
      return client.webhooks.listDeliveries(webhookId, query, { signal }).page();
    },
    { isChanging: (delivery) => deliveryStateOf(delivery).isChanging },
  );
  const changeFilter = (change: { readonly [Name in keyof DeliverySearch]?: DeliverySearch[Name] | undefined }) =>
    void navigate({ search: (previous) => removeUndefined({ ...previous, ...change }), replace: true });
  // An event type in the address stays in the list, even if the platform does not know it.
  const names = [...new Set([...(eventTypes.data ?? []).map(({ name }) => name), search.event_type ?? ''])].sort();

  return (
    <div className="stack">
      <div className="row">
        <SelectField
          label="Status"
          value={search.status ?? ''}
          onChange={(status) => changeFilter({ status: status === '' ? undefined : status })}
          options={[
            { value: '', label: 'All' },
            ...DELIVERY_STATUSES.map((value) => ({ value, label: DELIVERY_STATUS_LABELS[value] })),
          ]}
        />
        <SelectField
          label="Event"
          value={search.event_type ?? ''}
          onChange={(name) => changeFilter({ event_type: name === '' ? undefined : name })}
          options={[
            { value: '', label: 'All' },
            ...names.filter((name) => name !== '').map((value) => ({ value, label: value })),
          ]}
        />
        <TimeFilter label="Created since" value={search.since} onChange={(since) => changeFilter({ since })} />
        <TimeFilter label="Created before" value={search.until} onChange={(until) => changeFilter({ until })} />
        <Button isPending={deliveries.isFetching} onPress={() => void deliveries.refetch()}>
          Refresh
        </Button>
        {canWrite && <Button onPress={() => setReplaying(true)}>Replay…</Button>}
      </div>
      <PagedList
        query={deliveries}
        empty={
          <Empty title={Object.keys(search).length > 0 ? 'No deliveries match.' : 'There are no deliveries yet.'}>
            <p>Deliveries are kept for some weeks. Send a test to make one.</p>
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            caption="Deliveries"
            rows={items}
            rowKey={(delivery) => delivery.id}
            columns={[
              {
                header: 'Event',
                cell: ({ id, event_type }) => (
                  <Link to="/webhooks/$webhookId/deliveries/$deliveryId" params={{ webhookId, deliveryId: id }}>
                    <span className="nowrap">{event_type}</span>
                  </Link>
                ),
              },
              { header: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
              { header: 'Created', cell: (delivery) => <Time value={delivery.created_at} /> },
              { header: 'Last attempt', cell: (delivery) => <LastAttempt delivery={delivery} /> },
              { header: 'Attempts', align: 'end', cell: (delivery) => delivery.attempts.length },
              {
                header: 'Next attempt',
                cell: ({ next_attempt_at }) => (next_attempt_at === undefined ? '–' : <Time value={next_attempt_at} />),
              },
            ]}
          />
        )}
      </PagedList>
      {isReplaying && <StartReplay webhookId={webhookId} search={search} onClose={() => setReplaying(false)} />}
    </div>
  );
}

export function DeliveryStatus({ delivery }: { readonly delivery: Delivery }) {
  const { label, tone } = deliveryStateOf(delivery);
  return <Status value={label} tone={tone} />;
}

function LastAttempt({ delivery }: { readonly delivery: Delivery }) {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return <span className="soft">none yet</span>;
  if (last.status_code !== undefined) return <>HTTP {last.status_code}</>;
  return (
    <span className="clamped">
      <bdi>{last.error ?? 'no reply'}</bdi>
    </span>
  );
}
