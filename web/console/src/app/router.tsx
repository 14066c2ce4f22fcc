import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { createImportRoutes } from '../imports/routes.tsx';
import { createResponseRoutes } from '../responses/routes.tsx';
import { createResultRoutes } from '../results/routes.tsx';
import { createTenantRoutes } from '../tenant/routes.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { createWebhookRoutes } from '../webhooks/routes.tsx';
import { rootRoute } from './root-route.tsx';
import { createSurveyRoutes } from './survey-routes.tsx';

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/surveys' });
  },
});

const routeTree = rootRoute.addChildren([
  home,
  ...createSurveyRoutes(rootRoute),
  ...createResultRoutes(rootRoute),
  ...createResponseRoutes(rootRoute),
  ...createWebhookRoutes(rootRoute),
  ...createImportRoutes(rootRoute),
  ...createTenantRoutes(rootRoute),
]);

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: '/console',
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: () => <Loading />,
    defaultErrorComponent: ({ error, reset }) => <ErrorNotice error={error} retry={reset} />,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
