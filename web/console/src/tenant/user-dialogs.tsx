import { type CreateUserRequest, limits, type UpdateUserRequest, type User, type UserRole } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { FormDialog, RecordLoader, type RecordWithEtag } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { type AllMembers, removeUndefined } from '../ui/search-values.ts';
import { roleOptions } from './roles.ts';

interface Props {
  readonly onClose: () => void;
}

interface UserProps extends Props {
  readonly user: User;
}

function useRefreshUsers(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['users'] });
}

export function CreateUser({ onClose }: Props) {
  const client = useClient();
  const refresh = useRefreshUsers();
  const announce = useAnnounce();
  const sendOnce = useIdempotency();
  const [email, setEmail] = useState('');
  const [id, setId] = useState('');
  const [role, setRole] = useState<UserRole>('viewer');
  return (
    <FormDialog
      title="Add a user"
      submitLabel="Add"
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        const input = removeUndefined<AllMembers<CreateUserRequest, 'permissions'>>({
          email,
          role,
          id: id === '' ? undefined : id,
        });
        await sendOnce(input, (idempotencyKey) => client.users.create(input, { idempotencyKey }));
        await refresh();
        announce('The user is added.');
      }}
    >
      <TextField
        label="E-mail address"
        type="email"
        value={email}
        onChange={setEmail}
        required
        {...limits.CreateUserRequest.email}
      />
      <TextField
        label="Subject"
        description="The sub of the user’s tokens, from your identity provider. Without it, an id is generated."
        value={id}
        onChange={setId}
      />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
    </FormDialog>
  );
}

/** Changes a user. */
export function EditUser({ user: { id }, onClose }: UserProps) {
  return (
    <FreshUser id={id} title="Edit the user" onClose={onClose}>
      {(record) => <EditUserForm {...record} onClose={onClose} />}
    </FreshUser>
  );
}

/** Removes a user. */
export function RemoveUser({ user: { id }, onClose }: UserProps) {
  return (
    <FreshUser id={id} title="Remove the user" onClose={onClose}>
      {(record) => <RemoveUserForm {...record} onClose={onClose} />}
    </FreshUser>
  );
}

interface FreshUserProps extends Props {
  readonly id: string;
  /** Title of the dialog. */
  readonly title: string;
  readonly children: (fresh: RecordWithEtag<User>) => ReactNode;
}

function FreshUser({ id, ...props }: FreshUserProps) {
  const client = useClient();
  return (
    <RecordLoader
      {...props}
      queryKey={['user', id]}
      read={(signal) => client.users.get(id, { signal }).withResponse()}
    />
  );
}

type FormProps = Props & RecordWithEtag<User>;

function EditUserForm({ record: user, etag, onClose }: FormProps) {
  const client = useClient();
  const refresh = useRefreshUsers();
  const announce = useAnnounce();
  const [email, setEmail] = useState(user.email);
  const [role, setRole] = useState(user.role);
  return (
    <FormDialog
      title="Edit the user"
      submitLabel="Save"
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        const input = removeUndefined<AllMembers<UpdateUserRequest, 'permissions'>>({
          email: email === user.email ? undefined : email,
          role: role === user.role ? undefined : role,
        });
        if (Object.keys(input).length === 0) return;
        await client.users.update(user.id, input, { ifMatch: etag });
        await refresh();
        announce('The user is changed.');
      }}
    >
      <TextField
        label="E-mail address"
        type="email"
        value={email}
        onChange={setEmail}
        required
        {...limits.UpdateUserRequest.email}
      />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
    </FormDialog>
  );
}

function RemoveUserForm({ record: user, etag, onClose }: FormProps) {
  const client = useClient();
  const refresh = useRefreshUsers();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Remove the user"
      submitLabel="Remove"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        await client.users.delete(user.id, { ifMatch: etag }).finally(() => void refresh());
        announce('The user is removed.');
      }}
    >
      <p>
        <bdi>{user.email}</bdi>, {user.role}, loses access within five seconds. The API keys of this user stop working.
      </p>
    </FormDialog>
  );
}
