import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ConsoleRoot } from '../app/root-route.tsx';
import { readSurveyListSearch } from './survey-list-search.ts';

/** The list of surveys, and the pages of one survey. */
export function createSurveyRoutes(root: ConsoleRoot) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/surveys',
    validateSearch: readSurveyListSearch,
    component: lazyRouteComponent(() => import('./survey-list-page.tsx'), 'SurveyListPage'),
  });
  const overview = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId',
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  });
  return [list, overview] as const;
}
