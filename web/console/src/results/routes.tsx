import { createRoute, lazyRouteComponent, type Register, type RootRoute } from '@tanstack/react-router';
import { dropInvalid } from '../ui/search-values.ts';
import { readResultsSearch } from './results-search.ts';

/** The results of a survey. */
export function createResultRoutes(root: RootRoute<Register>) {
  const results = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/results',
    validateSearch: dropInvalid(readResultsSearch),
    component: lazyRouteComponent(() => {
      // Load the code of charts in parallel to the page, so that the first chart does not wait for it. If this fails,
      // the chart shows the error.
      import('../charts/draw-chart.ts').catch(() => undefined);
      return import('./results-page.tsx');
    }, 'ResultsPage'),
  });
  return [results] as const;
}
