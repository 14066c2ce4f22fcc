import { catalog } from '@survey/proto/catalog';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { routesOf } from '@survey/runtime/rest/route';
import { describe, expect, it } from 'vitest';
import { createHeaderRules } from './headers.ts';

const routes = routesOf(Object.values(catalog).flat());
const rules = createHeaderRules(routes);

/** The headers of a route such as `POST /v1/surveys`. */
function headersOf(written: string) {
  const route = routes.find(({ httpMethod, template }) => `${httpMethod} ${template}` === written);
  if (route === undefined) throw new Error(`there is no route ${written}`);
  const taken = rules.requestHeadersOf(route).map(({ $ref, name }) => name ?? String($ref).split('/').at(-1));
  const ofAll = ['RateLimit', 'RateLimit-Policy'];
  return [taken, Object.keys(rules.responseHeadersOf(route)).filter((name) => !ofAll.includes(name))];
}

describe('headers of operations', () => {
  it.each([
    ['GET /v1/surveys', [], []],
    ['GET /v1/surveys/{survey_id}', ['IfNoneMatch'], ['ETag']],
    ['GET /v1/surveys/{survey_id}/versions/{version}', ['IfNoneMatch'], ['ETag']],
    ['GET /v1/webhook-deliveries/{delivery_id}', ['IfNoneMatch'], ['ETag']],
    ['GET /v1/webhooks/{webhook_id}/deliveries', [], []],
    ['GET /v1/me', [], []],
    ['POST /v1/surveys', ['IdempotencyKey'], ['Idempotency-Replayed', 'Location', 'ETag']],
    ['PUT /v1/surveys/{survey_id}', ['IfMatch'], ['ETag']],
    ['PATCH /v1/surveys/{survey_id}', ['IfMatch'], ['ETag']],
    ['DELETE /v1/surveys/{survey_id}', ['IfMatch'], []],
    ['POST /v1/surveys/{survey_id}/publish', ['IfMatch'], ['ETag']],
    ['POST /v1/surveys/{survey_id}/duplicate', ['IdempotencyKey'], ['Idempotency-Replayed', 'Location', 'ETag']],
    ['GET /v1/surveys/{survey_id}/validate', [], []],
    ['POST /v1/surveys/validate', [], []],
    ['PATCH /v1/tenant', ['IfMatch'], ['ETag']],
    ['POST /v1/links/{link_id}/tokens', ['IdempotencyKey', 'IfMatch'], ['Idempotency-Replayed']],
    ['POST /v1/surveys/import', ['IdempotencyKey', 'Prefer'], ['Idempotency-Replayed', 'Location', 'ETag']],
    ['POST /v1/surveys/{survey_id}/responses/import', ['IdempotencyKey', 'Prefer'], ['Idempotency-Replayed']],
    ['GET /v1/public/responses/{response_id}', ['IfNoneMatch', 'Resume-Token'], ['ETag']],
    ['GET /v1/surveys/{survey_id}/export', [], ['Content-Disposition', 'Export-Omitted']],
    ['POST /v1/webhooks/{webhook_id}/rotate-secret', ['IdempotencyKey', 'IfMatch'], ['Idempotency-Replayed']],
    ['POST /v1/webhook-deliveries/{delivery_id}/redeliver', ['IfMatch'], ['ETag']],
    ['POST /v1/webhook-replays/{replay_id}/cancel', ['IfMatch'], ['ETag']],
    ['POST /v1/imports/{import_id}/cancel', [], []],
    ['POST /v1/public/surveys/{survey_id}/responses', ['PublicIdempotencyKey'], ['Idempotency-Replayed', 'ETag']],
  ])('of %s depend on its function', (written, taken, answered) => {
    expect(headersOf(written)).toEqual([taken, answered]);
  });
});

describe('the OpenAPI document', () => {
  it('has all referenced headers and parameters', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(headers|parameters)\/([^"]+)"/g)];
    const { headers, parameters } = document.components;
    const known = [...Object.keys(headers), ...Object.keys(parameters)];
    expect([...new Set(refs.map(([, , name]) => name))].sort()).toEqual(known.sort());
  });

  it('has 412 for conditional writes', () => {
    expect(Object.keys(document.paths['/v1/links/{link_id}'].patch.responses)).toContain('412');
    expect(Object.keys(document.paths['/v1/links/{link_id}'].get.responses)).not.toContain('412');
  });
});
