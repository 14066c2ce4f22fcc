import type { Webhook } from '@survey/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty, Status } from '../ui/states.tsx';
import { EventTypeNames } from './event-type-field.tsx';
import { HealthCell } from './health.tsx';
import { webhookState, webhookTitle } from './webhook.ts';
import { CreateWebhook } from './webhook-dialogs.tsx';

const PAGE_SIZE = 20;

export function WebhookListPage() {
  const client = useClient();
  const canWrite = useCan()('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const webhooks = usePages(['webhooks', 'list'], (cursor, signal) =>
    client.webhooks.list({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }, { signal }).page(),
  );
  const create = canWrite && (
    <Button variant="primary" onPress={() => setCreating(true)}>
      New webhook
    </Button>
  );

  return (
    <Page title="Webhooks" actions={create}>
      <PagedList
        query={webhooks}
        empty={
          <Empty title="There are no webhooks yet.">
            <p>A webhook sends an event to your server when a survey or a response changes.</p>
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            caption="Webhooks"
            rows={items}
            rowKey={(webhook) => webhook.id}
            columns={[
              { header: 'Webhook', cell: (webhook) => <WebhookName webhook={webhook} /> },
              { header: 'State', cell: (webhook) => <Status value={webhookState(webhook)} /> },
              { header: 'Last 24 hours', cell: (webhook) => <HealthCell webhookId={webhook.id} /> },
              { header: 'Events', cell: (webhook) => <EventTypeNames names={webhook.event_types} /> },
              { header: 'Created', cell: (webhook) => <Time value={webhook.created_at} /> },
            ]}
          />
        )}
      </PagedList>
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
    </Page>
  );
}

function WebhookName({ webhook }: { readonly webhook: Webhook }) {
  return (
    <>
      <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
        <bdi>{webhookTitle(webhook)}</bdi>
      </Link>
      {webhook.description !== '' && (
        <div className="small soft clamped" dir="ltr">
          {webhook.url}
        </div>
      )}
    </>
  );
}
