import type { User } from '@survey/client';
import { useState } from 'react';
import { useCan, useClient, useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty } from '../ui/states.tsx';
import { TenantPage } from './tenant-page.tsx';
import { CreateUser, EditUser, RemoveUser } from './user-dialogs.tsx';

type Action = { readonly kind: 'create' } | { readonly kind: 'edit' | 'remove'; readonly user: User };

export function UserListPage() {
  const client = useClient();
  const { me } = useSession();
  const canWrite = useCan()('users:write');
  const [action, setAction] = useState<Action>();
  const users = usePages(['users'], (cursor, signal) =>
    client.users.list(cursor === undefined ? {} : { cursor }, { signal }).page(),
  );
  const close = () => setAction(undefined);
  return (
    <TenantPage
      tab="Users"
      actions={
        canWrite && (
          <Button variant="primary" onPress={() => setAction({ kind: 'create' })}>
            Add a user
          </Button>
        )
      }
    >
      <PagedList query={users} empty={<Empty title="There are no users." />}>
        {(items) => (
          <DataTable
            caption="Users"
            rows={items}
            rowKey={(user) => user.id}
            columns={[
              {
                header: 'User',
                cell: (user) => (
                  <>
                    <bdi>{user.email}</bdi>
                    {user.id === me.user_id && ' (you)'}
                    <div className="small soft">{user.id}</div>
                  </>
                ),
              },
              { header: 'Role', cell: (user) => user.role },
              { header: 'More permissions', cell: (user) => user.permissions.join(', ') || '–' },
              { header: 'Added', cell: (user) => <Time value={user.created_at} /> },
              ...(canWrite
                ? [
                    {
                      header: 'Actions',
                      cell: (user: User) => (
                        <span className="row">
                          <Button
                            variant="plain"
                            aria-label={`Edit ${user.email}`}
                            onPress={() => setAction({ kind: 'edit', user })}
                          >
                            Edit
                          </Button>
                          {user.id !== me.user_id && (
                            <Button
                              variant="plain"
                              aria-label={`Remove ${user.email}`}
                              onPress={() => setAction({ kind: 'remove', user })}
                            >
                              Remove
                            </Button>
                          )}
                        </span>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </PagedList>
      {action?.kind === 'create' && <CreateUser onClose={close} />}
      {action?.kind === 'edit' && <EditUser user={action.user} onClose={close} />}
      {action?.kind === 'remove' && <RemoveUser user={action.user} onClose={close} />}
    </TenantPage>
  );
}
