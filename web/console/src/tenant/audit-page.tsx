import { type AuditEvent, limits } from '@survey/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useClient } from '../session/session.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { SearchField, TimeFilter } from '../ui/fields.tsx';
import { countOf, Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { Empty } from '../ui/states.tsx';
import type { AuditSearch } from './audit-search.ts';
import { TenantPage } from './tenant-page.tsx';

const TEXT_FILTERS = [
  ['actor', 'User or service'],
  ['action', 'Action'],
  ['resource_type', 'Kind of record'],
  ['resource_id', 'Id of the record'],
] as const;

export function AuditPage() {
  const client = useClient();
  const search = useSearch({ from: '/tenant/audit' });
  const navigate = useNavigate({ from: '/tenant/audit' });
  const events = usePages(['audit', search], (cursor, signal) =>
    client.audit.listEvents({ ...search, ...(cursor === undefined ? {} : { cursor }) }, { signal }).page(),
  );
  const filter = (name: keyof AuditSearch, value: string | undefined) =>
    void navigate({
      search: (previous) => removeUndefined({ ...previous, [name]: value }),
      replace: true,
    });
  return (
    <TenantPage tab="Audit log">
      <section className="row" aria-label="Filters">
        {TEXT_FILTERS.map(([name, label]) => (
          <SearchField
            key={name}
            label={label}
            value={search[name]}
            {...limits.ListAuditEventsQuery[name]}
            onChange={(value) => filter(name, value)}
          />
        ))}
        <TimeFilter label="From" value={search.since} onChange={(value) => filter('since', value)} />
        <TimeFilter label="Before" value={search.until} onChange={(value) => filter('until', value)} />
      </section>
      <PagedList query={events} empty={<Empty title="No changes match." />}>
        {(items) => (
          <DataTable
            caption="Changes"
            rows={items}
            rowKey={(event) => event.id}
            columns={[
              { header: 'Time', cell: (event) => <Time value={event.created_at} /> },
              { header: 'Action', cell: (event) => <code>{event.action}</code> },
              { header: 'By', cell: (event) => <bdi>{event.actor}</bdi> },
              {
                header: 'Record',
                cell: (event) => (
                  <>
                    {event.resource_type}
                    <div className="small soft">{event.resource_id}</div>
                  </>
                ),
              },
              { header: 'Changes', cell: (event) => <Changes event={event} /> },
            ]}
          />
        )}
      </PagedList>
    </TenantPage>
  );
}

function Changes({ event: { changes } }: { readonly event: AuditEvent }) {
  if (changes.length === 0) return '–';
  return (
    <details>
      <summary>{countOf(changes.length, 'change', 'changes')}</summary>
      <pre dir="ltr">{JSON.stringify(changes, undefined, 2)}</pre>
    </details>
  );
}
