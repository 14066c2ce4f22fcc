import { catalog } from '@survey/proto/catalog';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { routesOf } from '@survey/runtime/rest/route';
import { createRouter } from '@survey/runtime/rest/router';
import { type ApiDocument, createSchemas, type DocumentedResponse, resolve, toToken } from './api-document.ts';

/** A reply; the body is parsed if it is JSON. */
interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Throws if the API document does not describe a reply. Ignores requests that match no operation. */
type CheckReply = (method: string, path: string, reply: Reply) => void;

export function createConformance(): CheckReply {
  const api: ApiDocument = document;
  const router = createRouter(routesOf(Object.values(catalog).flat()));
  const schemas = createSchemas(document);

  return (method, path, { status, headers, body }) => {
    const operation = findOperation(method, path);
    if (operation === undefined) return;
    const { template, verb } = operation;
    const responses = api.paths[template]?.[verb]?.responses ?? {};
    const [key] = [String(status), `${String(status)[0]}XX`].filter((one) => Object.hasOwn(responses, one));
    const documented = key === undefined ? undefined : responses[key];
    const subject = `${method} ${template} returned ${status}`;
    if (key === undefined || documented === undefined) throw new Error(`${subject}, which is not documented`);
    const { content = {} } = resolve<DocumentedResponse>(document, documented);
    if (headers.get('x-request-id') === null) throw new Error(`${subject} without X-Request-Id`);
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const [media] = [type, '*/*'].filter((one) => Object.hasOwn(content, one));
    if (media === undefined) {
      if (body !== '') throw new Error(`${subject} with ${type}, which is not documented`);
      return;
    }
    if (media === '*/*') return; // a file
    const location =
      '$ref' in documented ? documented.$ref.slice(1) : `/paths/${toToken(template)}/${verb}/responses/${key}`;
    schemas.check(`${location}/content/${toToken(media)}/schema`, body);
  };

  function findOperation(method: string, path: string) {
    const [pathname = ''] = path.split('?');
    const address = pathname === '/surveys' ? '/v1/surveys' : pathname.replace(/^\/api\//, '/');
    const verb = method.toLowerCase();
    // Pages of the gateway are not routes of services.
    if (api.paths[pathname]?.[verb] !== undefined) return { template: pathname, verb };
    try {
      const match = router.match(method, address);
      if (match.kind !== 'found' || match.route.httpMethod !== method) return undefined;
      return { template: match.route.template, verb };
    } catch {
      return undefined; // not a valid path (RFC 3986)
    }
  }
}
