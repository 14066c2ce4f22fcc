import { limits, type Tenant, type TenantUsage } from '@survey/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { formatNumber, Time } from '../ui/format.tsx';
import { QueryView, Status } from '../ui/states.tsx';
import { TenantPage } from './tenant-page.tsx';

/** Pause between two reads of the use of the limits. */
const REFRESH_MS = 5_000;

const POLICY_LABELS = {
  default: 'All requests',
  heavy: 'Imports, exports, downloads and summaries',
} as const;

export function TenantOverviewPage() {
  const client = useClient();
  const canWrite = useCan()('tenant:write');
  const [isRenaming, setRenaming] = useState(false);
  const tenant = useQuery({
    queryKey: ['tenant'],
    queryFn: ({ signal }) => client.account.getTenant({ signal }),
  });
  const usage = useQuery({
    queryKey: ['tenant', 'usage'],
    queryFn: ({ signal }) => client.account.getTenantUsage({ signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <TenantPage
      tab="Overview"
      actions={canWrite && tenant.data && <Button onPress={() => setRenaming(true)}>Rename</Button>}
    >
      <QueryView query={tenant}>{(data) => <TenantFacts tenant={data} />}</QueryView>
      <section className="stack" aria-labelledby="limits">
        <h2 id="limits">Use of the limits</h2>
        <QueryView query={usage}>{(data) => <Limits usage={data} />}</QueryView>
      </section>
      {isRenaming && tenant.data && <RenameTenant name={tenant.data.name} onClose={() => setRenaming(false)} />}
    </TenantPage>
  );
}

function TenantFacts({ tenant }: { readonly tenant: Tenant }) {
  return (
    <dl className="card">
      <dt>Name</dt>
      <dd>
        <bdi>{tenant.name}</bdi>
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{tenant.id}</code>
      </dd>
      <dt>State</dt>
      <dd>
        <Status value={tenant.status} />
      </dd>
      <dt>Created</dt>
      <dd>
        <Time value={tenant.created_at} />
      </dd>
      <dt>Requests in progress</dt>
      <dd>
        {tenant.limits.concurrent_requests === undefined
          ? 'The default of the platform'
          : `At most ${formatNumber(tenant.limits.concurrent_requests)} at each gateway`}
      </dd>
    </dl>
  );
}

function Limits({ usage }: { readonly usage: TenantUsage }) {
  return (
    <>
      {usage.rate_limits.map(({ policy, requests_per_minute: limit, used }) => (
        <div key={policy} className="field">
          <label htmlFor={`limit-${policy}`}>{POLICY_LABELS[policy]}</label>
          {limit === undefined ? (
            <span>No requests in the last five minutes.</span>
          ) : (
            <>
              <progress id={`limit-${policy}`} className="progress" value={Math.min(used, limit)} max={limit} />
              <span className="small soft">
                {formatNumber(used)} of {formatNumber(limit)} requests in the last minute
              </span>
            </>
          )}
        </div>
      ))}
    </>
  );
}

function RenameTenant({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [value, setValue] = useState(name);
  return (
    <FormDialog
      title="Rename the tenant"
      submitLabel="Rename"
      isOpen
      onClose={onClose}
      onSubmit={async () => {
        await client.account.updateTenant({ name: value });
        await queryClient.invalidateQueries({ queryKey: ['tenant'] });
        announce('The tenant is renamed.');
      }}
    >
      <TextField label="Name" value={value} onChange={setValue} required {...limits.UpdateTenantRequest.name} />
    </FormDialog>
  );
}
