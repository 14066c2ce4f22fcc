import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../session/session.tsx';
import { Page, Tabs } from '../ui/page.tsx';

/** The pages of the tenant, and the permission that each one needs. */
const tabs = [
  { to: '/tenant', label: 'Overview', permission: 'tenant:read' },
  { to: '/tenant/users', label: 'Users', permission: 'users:read' },
  { to: '/tenant/api-keys', label: 'API keys', permission: 'keys:read' },
  { to: '/tenant/audit', label: 'Audit log', permission: 'audit:read' },
] as const;

interface Props {
  readonly tab: (typeof tabs)[number]['label'];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the tenant, with links to its other pages. */
export function TenantPage({ tab, actions, children }: Props) {
  const can = useCan();
  return (
    <Page title="Tenant" section={tab} actions={actions}>
      <Tabs label="Tenant">
        {tabs
          .filter(({ permission }) => can(permission))
          .map(({ to, label }) => (
            <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {label}
            </Link>
          ))}
      </Tabs>
      {children}
    </Page>
  );
}
