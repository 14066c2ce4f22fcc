import { type ApiKey, type CreateApiKeyRequest, limits } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useSession } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { FormDialog, SecretDialog } from '../ui/dialog.tsx';
import { Checkbox, FieldGroup, TextField, TimeField } from '../ui/fields.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { type AllMembers, removeUndefined } from '../ui/search-values.ts';

interface Props {
  readonly onClose: () => void;
}

function useRefreshKeys(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });
}

/** Creates a key with some of the permissions of the user, and shows its secret once. */
export function CreateApiKey({ onClose }: Props) {
  const client = useClient();
  const { me } = useSession();
  const refresh = useRefreshKeys();
  const sendOnce = useIdempotency();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly string[]>([]);
  const [expiresAt, setExpiresAt] = useState<string>();
  const [secret, setSecret] = useState<string>();

  if (secret !== undefined)
    return (
      <SecretDialog
        title="The API key is created"
        description="Send it as bearer token."
        secret={secret}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="New API key"
      submitLabel="Create"
      isOpen
      onClose={onClose}
      closesAfterSubmit={false}
      onSubmit={async () => {
        const input = removeUndefined<AllMembers<CreateApiKeyRequest>>({
          name,
          permissions: [...permissions],
          expires_at: expiresAt,
        });
        const created = await sendOnce(input, (idempotencyKey) => client.apiKeys.create(input, { idempotencyKey }));
        setSecret(created.secret ?? '');
        await refresh();
      }}
    >
      <TextField label="Name" value={name} onChange={setName} required {...limits.CreateApiKeyRequest.name} />
      <FieldGroup label="Permissions" description="A key can have only permissions that you have.">
        <div className="checkbox-grid">
          {me.permissions.map((permission) => (
            <Checkbox
              key={permission}
              label={permission}
              checked={permissions.includes(permission)}
              onChange={(checked) =>
                setPermissions(
                  checked ? [...permissions, permission] : permissions.filter((other) => other !== permission),
                )
              }
            />
          ))}
        </div>
      </FieldGroup>
      <TimeField
        label="Expires"
        description="Without a time, the key does not expire."
        value={expiresAt}
        onChange={setExpiresAt}
      />
    </FormDialog>
  );
}

export function DeleteApiKey({ apiKey, onClose }: Props & { readonly apiKey: ApiKey }) {
  const client = useClient();
  const refresh = useRefreshKeys();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Delete the API key"
      submitLabel="Delete"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        await client.apiKeys.delete(apiKey.id);
        await refresh();
        announce('The API key is deleted.');
      }}
    >
      <p>
        Programs that use <bdi>{apiKey.name}</bdi> get 401 within five seconds.
      </p>
    </FormDialog>
  );
}
