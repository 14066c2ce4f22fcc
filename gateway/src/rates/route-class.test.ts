import { catalog } from '@survey/proto/catalog';
import { routesOf } from '@survey/runtime/rest/route';
import { expect, it } from 'vitest';
import { routeClassOf, shareOf } from './route-class.ts';

it('heavy routes of tenants are imports, exports, summaries, and all that stream', () => {
  const routes = routesOf(Object.values(catalog).flat()).filter(({ access }) => access.kind === 'permission');
  const heavy = routes.filter((route) => routeClassOf(route) === 'heavy');
  expect(heavy.map(({ httpMethod, template }) => `${httpMethod} ${template}`).sort()).toEqual([
    'GET /v1/files/{file_id}',
    'GET /v1/imports/{import_id}/errors',
    'GET /v1/surveys/{survey_id}/export',
    'GET /v1/surveys/{survey_id}/responses/codebook',
    'GET /v1/surveys/{survey_id}/responses/export',
    'GET /v1/surveys/{survey_id}/summary',
    'POST /v1/surveys/import',
    'POST /v1/surveys/import/plan',
    'POST /v1/surveys/{survey_id}/responses/codebook/query',
    'POST /v1/surveys/{survey_id}/responses/export/query',
    'POST /v1/surveys/{survey_id}/responses/import',
    'POST /v1/surveys/{survey_id}/responses/import/plan',
    'POST /v1/surveys/{survey_id}/summary/query',
  ]);
  expect(routes.filter((route) => route.hasRawHandler && !heavy.includes(route))).toEqual([]);
});

it.each([
  [1, 1],
  [7, 1],
  [8, 2],
  [12_000, 3_000],
])('of %i requests %i may be heavy, as identity counts them', (all, share) => {
  expect([shareOf('heavy', all), shareOf('default', all)]).toEqual([share, all]);
});
