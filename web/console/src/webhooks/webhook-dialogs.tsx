import { limits } from '@survey/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { FormDialog, SecretDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import {
  NEW_WEBHOOK,
  toForm,
  toPatch,
  toSettings,
  useRefreshWebhooks,
  type WebhookRecord,
  webhookTitle,
} from './webhook.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface Props {
  readonly onClose: () => void;
}

const { min, max } = limits.RotateWebhookSecretRequest.overlap_hours;
const SECRET_USE = 'Your receiver verifies signatures with it.';

/** Creates a webhook, shows its secret, and leads to its page. */
export function CreateWebhook({ onClose }: Props) {
  const client = useClient();
  const navigate = useNavigate();
  const refresh = useRefreshWebhooks();
  const sendOnce = useIdempotency();
  const [form, setForm] = useState(NEW_WEBHOOK);
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();

  if (created !== undefined) {
    return (
      <SecretDialog
        title="The webhook is created"
        description={SECRET_USE}
        secret={created.secret}
        onClose={() => {
          onClose();
          void navigate({ to: '/webhooks/$webhookId', params: { webhookId: created.id } });
        }}
      />
    );
  }
  return (
    <FormDialog
      title="New webhook"
      submitLabel="Create"
      isOpen
      onClose={onClose}
      // The secret takes the place of the form.
      closesAfterSubmit={false}
      onSubmit={async () => {
        const settings = toSettings(form);
        const { id, secret = '' } = await sendOnce(settings, (idempotencyKey) =>
          client.webhooks.create(settings, { idempotencyKey }),
        );
        setCreated({ id, secret });
        await refresh();
      }}
    >
      <WebhookFields form={form} onChange={setForm} />
    </FormDialog>
  );
}

interface RecordProps extends Props {
  readonly record: WebhookRecord;
}

export function EditWebhook({ record, onClose }: RecordProps) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  // The form changes the webhook as it was when the dialog opened, and sends the revision of that state.
  const [{ webhook, writeOptions }] = useState(record);
  const [before] = useState(() => toForm(webhook));
  const [form, setForm] = useState(before);
  return (
    <FormDialog
      title="Edit the webhook"
      submitLabel="Save"
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        const patch = toPatch(before, form);
        if (Object.keys(patch).length > 0)
          await client.webhooks.update(webhook.id, patch, writeOptions).finally(() => void refresh());
      }}
    >
      <WebhookFields form={form} onChange={setForm} storedUrl={before.url} />
    </FormDialog>
  );
}

export function RotateSecret({ record, onClose }: RecordProps) {
  // Keep the revision from when the dialog opened: with another one, a retry would be another request for the same
  // idempotency key.
  const [{ webhook, writeOptions }] = useState(record);
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const sendOnce = useIdempotency();
  const [hours, setHours] = useState('24');
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined)
    return <SecretDialog title="The secret is rotated" description={SECRET_USE} secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title="Rotate the secret"
      submitLabel="Rotate"
      isOpen
      onClose={onClose}
      closesAfterSubmit={false}
      onSubmit={async () => {
        const input = { overlap_hours: Number(hours) };
        const rotation = await sendOnce(input, (idempotencyKey) =>
          client.webhooks
            .rotateSecret(webhook.id, input, { idempotencyKey, ...writeOptions })
            .finally(() => void refresh()),
        );
        setSecret(rotation.secret);
      }}
    >
      <p>
        The platform makes a new secret, and signs with both secrets for some time. Give it to your receiver meanwhile.
      </p>
      <TextField
        label="Hours with both secrets"
        description={`${min} to ${max}. With 0, the old secret is invalid immediately.`}
        type="number"
        min={min}
        max={max}
        required
        value={hours}
        onChange={setHours}
      />
    </FormDialog>
  );
}

export function DeleteWebhook({ record, onClose }: RecordProps) {
  // Keep the webhook as it was when the dialog opened, because the user confirms the deletion of that state.
  const [{ webhook, writeOptions }] = useState(record);
  const client = useClient();
  const navigate = useNavigateAfter();
  const refresh = useRefreshWebhooks();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Delete the webhook?"
      submitLabel="Delete"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        try {
          await client.webhooks.delete(webhook.id, writeOptions);
          await navigate({ to: '/webhooks' });
          announce('The webhook is deleted.');
        } finally {
          await refresh();
        }
      }}
    >
      <p>
        No further attempt is made to <bdi>{webhookTitle(webhook)}</bdi>. This cannot be undone.
      </p>
    </FormDialog>
  );
}
