import type { Replay, ReplayWebhookRequest } from '@survey/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { SelectField, TimeField } from '../ui/fields.tsx';
import { formatNumber, Time } from '../ui/format.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { type AllMembers, removeUndefined } from '../ui/search-values.ts';
import { Empty, Progress, Status } from '../ui/states.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import type { DeliverySearch } from './delivery.ts';
import { useEventTypes, useRefreshWebhooks } from './webhook.ts';

/** The replays of a webhook. Running ones show their progress, and continue if the user leaves the page. */
export function ReplayList() {
  const client = useClient();
  const canWrite = useCan()('webhooks:write');
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  const [isStarting, setStarting] = useState(false);
  const [toCancel, setToCancel] = useState<Replay>();
  const replays = usePages(
    ['webhooks', webhookId, 'replays'],
    (cursor, signal) =>
      client.webhooks.listReplays(webhookId, cursor === undefined ? {} : { cursor }, { signal }).page(),
    { isChanging: ({ status }) => status === 'running' },
  );

  return (
    <div className="stack">
      {canWrite && (
        <div>
          <Button onPress={() => setStarting(true)}>New replay</Button>
        </div>
      )}
      <PagedList
        query={replays}
        empty={
          <Empty title="There are no replays.">
            <p>A replay sends deliveries again, for example after a failure of your receiver.</p>
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            caption="Replays"
            rows={items}
            rowKey={(replay) => replay.id}
            columns={[
              { header: 'Started', cell: (replay) => <Time value={replay.created_at} /> },
              { header: 'Status', cell: (replay) => <Status value={replay.status} /> },
              { header: 'Progress', cell: (replay) => <ReplayProgress replay={replay} /> },
              { header: 'Deliveries', cell: (replay) => <Selection replay={replay} /> },
              { header: 'Ended', cell: ({ finished_at }) => (finished_at ? <Time value={finished_at} /> : '–') },
              {
                header: 'Action',
                cell: (replay) =>
                  canWrite && replay.status === 'running' ? (
                    <Button onPress={() => setToCancel(replay)}>Cancel</Button>
                  ) : (
                    '–'
                  ),
              },
            ]}
          />
        )}
      </PagedList>
      {isStarting && <StartReplay webhookId={webhookId} search={{}} onClose={() => setStarting(false)} />}
      {toCancel !== undefined && <CancelReplay replay={toCancel} onClose={() => setToCancel(undefined)} />}
    </div>
  );
}

function ReplayProgress({ replay: { replayed, total, created_at } }: { readonly replay: Replay }) {
  return (
    <Progress
      label={`Progress of the replay of ${created_at}`}
      share={total === 0 ? 1 : replayed / total}
      text={`${formatNumber(replayed)} of ${formatNumber(total)} scheduled`}
    />
  );
}

function Selection({ replay: { since, until, statuses, event_types } }: { readonly replay: Replay }) {
  return (
    <>
      <div>{statuses.length === 0 ? 'all' : statuses.join(', ')}</div>
      {event_types.length > 0 && <div className="small">{event_types.join(', ')}</div>}
      <div className="soft small">
        {since !== undefined && (
          <>
            from <Time value={since} />{' '}
          </>
        )}
        until <Time value={until} />
      </div>
    </>
  );
}

function CancelReplay({ replay, onClose }: { readonly replay: Replay; readonly onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  return (
    <FormDialog
      title="Cancel the replay?"
      submitLabel="Cancel the replay"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={() => client.webhooks.cancelReplay(replay.id).finally(() => void refresh())}
    >
      <p>Deliveries that are scheduled already are still sent.</p>
    </FormDialog>
  );
}

const STATUS_LABELS = {
  failed: 'failed for good',
  delivered: 'delivered',
  all: 'delivered, or failed for good',
} as const;

interface Props {
  readonly webhookId: string;
  /** The filters of the list of deliveries, as initial values. */
  readonly search: DeliverySearch;
  readonly onClose: () => void;
}

/** Starts a replay of a range of deliveries, and opens the list with its progress. */
export function StartReplay({ webhookId, search, onClose }: Props) {
  const client = useClient();
  const navigate = useNavigateAfter();
  const refresh = useRefreshWebhooks();
  const announce = useAnnounce();
  const sendOnce = useIdempotency();
  const eventTypes = useEventTypes();
  const [since, setSince] = useState(search.since);
  const [until, setUntil] = useState(search.until);
  const [statusChoice, setStatusChoice] = useState<keyof typeof STATUS_LABELS>(
    search.status === 'delivered' ? 'delivered' : 'failed',
  );
  const [eventType, setEventType] = useState(search.event_type ?? '');

  async function start(): Promise<void> {
    const input = removeUndefined<AllMembers<ReplayWebhookRequest>>({
      since,
      until,
      statuses: statusChoice === 'all' ? (['delivered', 'failed'] as const).slice() : [statusChoice],
      event_types: eventType === '' ? undefined : [eventType],
    });
    await sendOnce(input, (idempotencyKey) => client.webhooks.replay(webhookId, input, { idempotencyKey }));
    await refresh();
    announce('The replay has started.');
    await navigate({ to: '/webhooks/$webhookId/replays', params: { webhookId } });
  }

  return (
    <FormDialog title="Replay deliveries" submitLabel="Start" isOpen onClose={onClose} onSubmit={start}>
      <p>The platform sends the deliveries again, with the same ids and contents.</p>
      <SelectField
        label="Deliveries that are"
        value={statusChoice}
        onChange={setStatusChoice}
        options={(['failed', 'delivered', 'all'] as const).map((value) => ({ value, label: STATUS_LABELS[value] }))}
      />
      <SelectField
        label="Event"
        value={eventType}
        onChange={setEventType}
        options={[
          { value: '', label: 'All' },
          ...(eventTypes.data ?? []).map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      <TimeField label="Created since" description="Empty for all that are kept." value={since} onChange={setSince} />
      <TimeField label="Created before" description="Empty for all until now." value={until} onChange={setUntil} />
    </FormDialog>
  );
}
