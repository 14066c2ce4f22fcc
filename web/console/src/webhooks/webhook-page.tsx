import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Page, Tabs } from '../ui/page.tsx';
import { ErrorNotice, QueryView, Status } from '../ui/states.tsx';
import { HealthPanel } from './health.tsx';
import { TestDialog } from './test-result.tsx';
import {
  DISABLED_REASONS,
  useRefreshWebhooks,
  useWebhook,
  type WebhookRecord,
  webhookState,
  webhookTitle,
} from './webhook.ts';
import { DeleteWebhook, EditWebhook, RotateSecret } from './webhook-dialogs.tsx';

/** One webhook: its actions, and tabs for deliveries, replays and settings. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  return <QueryView query={useWebhook(webhookId)}>{(record) => <LoadedWebhook record={record} />}</QueryView>;
}

type OpenDialog = 'edit' | 'rotate' | 'delete' | 'test' | 'pause';

function LoadedWebhook({ record }: { readonly record: WebhookRecord }) {
  const { webhook } = record;
  const canWrite = useCan()('webhooks:write');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const params = { webhookId: webhook.id };

  return (
    <Page
      title={webhookTitle(webhook)}
      breadcrumbs={[
        <Link key="list" to="/webhooks">
          Webhooks
        </Link>,
      ]}
      status={<Status value={webhookState(webhook)} />}
      actions={
        canWrite && (
          <>
            <Button onPress={() => setDialog('test')}>Send a test</Button>
            {webhook.active ? (
              <Button onPress={() => setDialog('pause')}>Pause</Button>
            ) : (
              <Resume record={record} label={webhook.disabled_reason === undefined ? 'Resume' : 'Enable again'} />
            )}
            <Button onPress={() => setDialog('edit')}>Edit</Button>
            <Button onPress={() => setDialog('rotate')}>Rotate the secret</Button>
            <Button variant="danger" onPress={() => setDialog('delete')}>
              Delete
            </Button>
          </>
        )
      }
    >
      {webhook.disabled_reason !== undefined && (
        <div className="notice" data-tone="warn">
          <p>{DISABLED_REASONS[webhook.disabled_reason]}</p>
          <p>New events are kept as failed deliveries. Enable the webhook, then replay them.</p>
        </div>
      )}
      <HealthPanel webhookId={webhook.id} />
      <Tabs label="Webhook">
        <Link to="/webhooks/$webhookId" params={params} activeOptions={{ exact: true, includeSearch: false }}>
          Deliveries
        </Link>
        <Link to="/webhooks/$webhookId/replays" params={params}>
          Replays
        </Link>
        <Link to="/webhooks/$webhookId/settings" params={params}>
          Settings
        </Link>
      </Tabs>
      <Outlet />
      {dialog === 'edit' && <EditWebhook record={record} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret record={record} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhook record={record} onClose={close} />}
      {dialog === 'test' && <TestDialog webhookId={webhook.id} onClose={close} />}
      {dialog === 'pause' && <Pause record={record} onClose={close} />}
    </Page>
  );
}

interface PauseProps {
  readonly record: WebhookRecord;
  readonly onClose: () => void;
}

function Pause({ record, onClose }: PauseProps) {
  const [{ webhook, writeOptions }] = useState(record);
  const client = useClient();
  const refresh = useRefreshWebhooks();
  return (
    <FormDialog
      title="Pause the webhook?"
      submitLabel="Pause"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={() => client.webhooks.update(webhook.id, { active: false }, writeOptions).finally(() => void refresh())}
    >
      <p>While a webhook is paused, its events are not kept. You cannot replay them later.</p>
    </FormDialog>
  );
}

function Resume({
  record: { webhook, writeOptions },
  label,
}: {
  readonly record: WebhookRecord;
  readonly label: string;
}) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const announce = useAnnounce();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);

  async function resume(): Promise<void> {
    setPending(true);
    setError(undefined);
    try {
      await client.webhooks.update(webhook.id, { active: true }, writeOptions).finally(() => void refresh());
      announce('The webhook is active.');
    } catch (failure) {
      setError(failure);
    } finally {
      setPending(false);
    }
  }

  return (
    <>
      <Button variant="primary" isPending={isPending} onPress={() => void resume()}>
        {label}
      </Button>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  );
}
