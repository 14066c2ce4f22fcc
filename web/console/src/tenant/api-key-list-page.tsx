import type { ApiKey } from '@survey/client';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty } from '../ui/states.tsx';
import { CreateApiKey, DeleteApiKey } from './api-key-dialogs.tsx';
import { TenantPage } from './tenant-page.tsx';

type Action = { readonly kind: 'create' } | { readonly kind: 'delete'; readonly key: ApiKey };

export function ApiKeyListPage() {
  const client = useClient();
  const canWrite = useCan()('keys:write');
  const [action, setAction] = useState<Action>();
  const keys = usePages(['api-keys'], (cursor, signal) =>
    client.apiKeys.list(cursor === undefined ? {} : { cursor }, { signal }).page(),
  );
  const close = () => setAction(undefined);
  return (
    <TenantPage
      tab="API keys"
      actions={
        canWrite && (
          <Button variant="primary" onPress={() => setAction({ kind: 'create' })}>
            New API key
          </Button>
        )
      }
    >
      <PagedList
        query={keys}
        empty={
          <Empty title="There are no API keys yet.">
            <p>A program uses an API key instead of a token of your identity provider.</p>
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            caption="API keys"
            rows={items}
            rowKey={(key) => key.id}
            columns={[
              {
                header: 'Name',
                cell: (key) => (
                  <>
                    <bdi>{key.name}</bdi>
                    <div className="small soft">
                      <code>{key.prefix}…</code>
                    </div>
                  </>
                ),
              },
              { header: 'Permissions', cell: (key) => <span className="small">{key.permissions.join(', ')}</span> },
              { header: 'Last used', cell: (key) => <Time value={key.last_used_at} /> },
              { header: 'Expires', cell: (key) => <Time value={key.expires_at} /> },
              { header: 'Created by', cell: (key) => <bdi className="small">{key.created_by}</bdi> },
              ...(canWrite
                ? [
                    {
                      header: 'Actions',
                      cell: (key: ApiKey) => (
                        <Button
                          variant="plain"
                          aria-label={`Delete ${key.name}`}
                          onPress={() => setAction({ kind: 'delete', key })}
                        >
                          Delete
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </PagedList>
      {action?.kind === 'create' && <CreateApiKey onClose={close} />}
      {action?.kind === 'delete' && <DeleteApiKey apiKey={action.key} onClose={close} />}
    </TenantPage>
  );
}
