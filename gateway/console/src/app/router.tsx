import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readSurveyListSearch } from '../surveys/survey-list-search.ts';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { Layout, NotFound } from './layout.tsx';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/surveys' });
  },
});

const surveyList = createRoute({
  getParentRoute: () => root,
  path: '/surveys',
  validateSearch: readSurveyListSearch,
  component: lazyRouteComponent(() => import('../surveys/survey-list-page.tsx'), 'SurveyListPage'),
});

export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren([home, surveyList]),
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
