import { createRoute, lazyRouteComponent, type Register, type RootRoute } from '@tanstack/react-router';
import { dropInvalid } from '../ui/search-values.ts';
import { readAuditSearch } from './audit-search.ts';

/** The pages of the tenant: its name and limits, users, API keys and audit log. */
export function createTenantRoutes(root: RootRoute<Register>) {
  const overview = createRoute({
    getParentRoute: () => root,
    path: '/tenant',
    component: lazyRouteComponent(() => import('./tenant-overview-page.tsx'), 'TenantOverviewPage'),
  });
  const users = createRoute({
    getParentRoute: () => root,
    path: '/tenant/users',
    component: lazyRouteComponent(() => import('./user-list-page.tsx'), 'UserListPage'),
  });
  const keys = createRoute({
    getParentRoute: () => root,
    path: '/tenant/api-keys',
    component: lazyRouteComponent(() => import('./api-key-list-page.tsx'), 'ApiKeyListPage'),
  });
  const audit = createRoute({
    getParentRoute: () => root,
    path: '/tenant/audit',
    validateSearch: dropInvalid(readAuditSearch),
    component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  });
  return [overview, users, keys, audit] as const;
}
