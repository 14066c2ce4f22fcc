import { createRoute, lazyRouteComponent, type Register, type RootRoute } from '@tanstack/react-router';
import { dropInvalid } from '../ui/search-values.ts';
import { readResponsePageSearch, readResponseSearch } from './response-search.ts';

/** The pages of the responses to a survey. */
export function createResponseRoutes(root: RootRoute<Register>) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/responses',
    validateSearch: dropInvalid(readResponseSearch),
    component: lazyRouteComponent(() => import('./response-list-page.tsx'), 'ResponseListPage'),
  });
  const response = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/responses/$responseId',
    validateSearch: dropInvalid(readResponsePageSearch),
    component: lazyRouteComponent(() => import('./response-page.tsx'), 'ResponsePage'),
  });
  const correction = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/responses/$responseId/correct',
    component: lazyRouteComponent(() => import('./correction-page.tsx'), 'CorrectionPage'),
  });
  return [list, response, correction] as const;
}
