import type { ReplayWebhookRequest } from '@survey/client';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/fields.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { removeUndefined } from '../ui/search-values.ts';
import { TimeField } from '../ui/time-field.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import type { DeliverySearch } from './delivery.ts';
import { useEventTypes, useRefreshWebhooks } from './use-webhook.ts';

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
    const input: ReplayWebhookRequest = removeUndefined({
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
