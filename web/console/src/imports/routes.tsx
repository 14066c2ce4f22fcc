import { createRoute, lazyRouteComponent, type Register, type RootRoute } from '@tanstack/react-router';
import { dropInvalid, readText, removeUndefined } from '../ui/search-values.ts';

/** The pages of imports. */
export function createImportRoutes(root: RootRoute<Register>) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/imports',
    component: lazyRouteComponent(() => import('./import-list-page.tsx'), 'ImportListPage'),
  });
  const create = createRoute({
    getParentRoute: () => root,
    path: '/imports/new',
    validateSearch: dropInvalid((search): { readonly survey?: string } =>
      removeUndefined({ survey: readText(search['survey']) }),
    ),
    component: lazyRouteComponent(() => import('./new-import-page.tsx'), 'NewImportPage'),
  });
  const details = createRoute({
    getParentRoute: () => root,
    path: '/imports/$importId',
    component: lazyRouteComponent(() => import('./import-details.tsx'), 'ImportPage'),
  });
  return [list, create, details] as const;
}
