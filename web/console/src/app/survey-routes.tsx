import { createRoute, lazyRouteComponent, type Register, type RootRoute } from '@tanstack/react-router';
import { readCompareSearch, readDefinitionSearch, readPreviewSearch } from '../definitions/definition-search.ts';
import { readSurveyListSearch } from '../surveys/survey-list-search.ts';
import { dropInvalid } from '../ui/search-values.ts';

/** The list of surveys, and the pages of one survey. */
export function createSurveyRoutes(root: RootRoute<Register>) {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/surveys',
    validateSearch: dropInvalid(readSurveyListSearch),
    component: lazyRouteComponent(() => import('../surveys/survey-list-page.tsx'), 'SurveyListPage'),
  });
  const create = createRoute({
    getParentRoute: () => root,
    path: '/surveys/new',
    component: lazyRouteComponent(() => import('../definitions/new-survey-page.tsx'), 'NewSurveyPage'),
  });
  const overview = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId',
    component: lazyRouteComponent(() => import('../surveys/overview-page.tsx'), 'OverviewPage'),
  });
  const definition = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/definition',
    validateSearch: dropInvalid(readDefinitionSearch),
    component: lazyRouteComponent(() => import('../definitions/definition-page.tsx'), 'DefinitionPage'),
  });
  const edit = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/edit',
    component: lazyRouteComponent(() => import('../definitions/edit-page.tsx'), 'EditPage'),
  });
  const versions = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/versions',
    validateSearch: dropInvalid(readCompareSearch),
    component: lazyRouteComponent(() => import('../definitions/versions-page.tsx'), 'VersionsPage'),
  });
  const links = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/links',
    component: lazyRouteComponent(() => import('../links/links-page.tsx'), 'LinksPage'),
  });
  const preview = createRoute({
    getParentRoute: () => root,
    path: '/surveys/$surveyId/preview',
    validateSearch: dropInvalid(readPreviewSearch),
    component: lazyRouteComponent(() => import('../definitions/preview-page.tsx'), 'PreviewPage'),
  });
  return [list, create, overview, definition, edit, versions, links, preview] as const;
}
