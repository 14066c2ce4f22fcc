import { createRoute, lazyRouteComponent, type Register, type RootRoute } from '@tanstack/react-router';
import { dropInvalid } from '../ui/search-values.ts';
import { readDeliverySearch } from './delivery.ts';

/** The pages of webhooks. */
export function createWebhookRoutes(root: RootRoute<Register>) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhook-list-page.tsx'), 'WebhookListPage'),
  });
  const webhook = createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$webhookId',
    component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
  });
  const deliveries = createRoute({
    getParentRoute: () => webhook,
    path: '/',
    validateSearch: dropInvalid(readDeliverySearch),
    component: lazyRouteComponent(() => import('./delivery-list.tsx'), 'DeliveryList'),
  });
  const replays = createRoute({
    getParentRoute: () => webhook,
    path: '/replays',
    component: lazyRouteComponent(() => import('./replay-list.tsx'), 'ReplayList'),
  });
  const settings = createRoute({
    getParentRoute: () => webhook,
    path: '/settings',
    component: lazyRouteComponent(() => import('./webhook-settings.tsx'), 'WebhookSettings'),
  });
  const delivery = createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$webhookId/deliveries/$deliveryId',
    component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
  });
  return [list, webhook.addChildren([deliveries, replays, settings]), delivery] as const;
}
