import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ConsoleRoot } from '../app/root-route.tsx';
import { readResultsSearch } from './results-search.ts';

/** The results of a survey. */
export function createResultRoutes(root: ConsoleRoot) {
  const results = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/results',
    validateSearch: readResultsSearch,
    component: lazyRouteComponent(() => import('./results-page.tsx'), 'ResultsPage'),
  });
  return [results] as const;
}
