import { type DescMethod, type DescService, fromBinary, getOption, hasOption } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { title as titleOption } from '@survey/proto/survey/options/v1/options_pb';
import { conditionComponents } from '@survey/questionnaire/conditions/condition-schema';
import { definitionComponents } from '@survey/questionnaire/definition-json-schema';
import { type Route, routesOf } from '@survey/runtime/rest/route';
import { extraPermissionsOf } from '@survey/runtime/rpc/access';
import { checkNames } from './check-names.ts';
import { type DocumentedEvent, describeEvents, eventSchemas, eventTag } from './events.ts';
import type { Examples } from './examples.ts';
import { createFailures } from './failures.ts';
import { createHeaderRules, headerComponents, parameterComponents } from './headers.ts';
import { describeGatewayPages, gatewayPageSchemas, pageTag } from './pages.ts';
import { problemSchemas } from './problem-schema.ts';
import { type Comments, readComments } from './proto-comments.ts';
import { createRequests } from './requests.ts';
import { createResponses } from './responses.ts';
import { createSchemas } from './schemas.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `Define surveys, collect responses, read them, and get signed webhooks.

- **Authorize** with a token (a JWT) or an API key: \`Authorization: Bearer …\`. Operations for respondents need no token.
- \`/api/v1\` is the same API as \`/v1\`.
- Lists are arrays. If there are more items, \`Link: <…>; rel="next"\` has the URL of the next page.
- To repeat a creation safely, send an \`Idempotency-Key\`. To avoid lost updates, send \`If-Match\` with the \`ETag\` of the record.
- Every error is an \`application/problem+json\` with a stable \`code\`, a \`detail\` for people, and a \`request_id\` for support requests. Every operation can return 429, 503 and other general errors.
- JSON can be nested 64 levels deep, with numbers within ±(2^53 - 1). Duplicate and unknown members are errors. Times are RFC 3339; replies have UTC with milliseconds.`;

interface ApiSources {
  /** In the order of the document. */
  readonly services: readonly DescService[];
  /** A `google.protobuf.FileDescriptorSet` with source info, whose comments become descriptions. */
  readonly descriptorSet: Uint8Array;
  readonly examples: Examples;
  /** The event types of webhooks. */
  readonly events: readonly DocumentedEvent[];
}

/**
 * Builds the OpenAPI 3.1 document of services, of webhooks and of the gateway's own pages. Throws if a comment or an
 * example is missing, if two operations or messages have the same name, or if JSON Schema cannot express a rule.
 */
export function buildOpenApi({ services, descriptorSet, examples, events }: ApiSources): Json {
  const comments = readComments(fromBinary(FileDescriptorSetSchema, descriptorSet));
  const routes = routesOf(services);
  checkOperationIds(routes);
  const schemas = createSchemas(comments, {
    ...problemSchemas,
    ...gatewayPageSchemas,
    ...eventSchemas(events),
    ...definitionComponents(),
    ...conditionComponents(),
  });
  const headers = createHeaderRules(routes);
  const requests = createRequests({ comments, schemas, headers, examples });
  const successes = createResponses({ comments, schemas, headers, examples });
  const failures = createFailures(headers, examples);
  // Create the schemas of requests first: messages shared with responses use the schema of the request.
  const described = routes.map((route) => [route, requests.of(route)] as const);
  const paths: Record<string, Json> = {};
  for (const [route, request] of described) {
    const operation = {
      ...metadataOf(route, comments),
      ...request,
      responses: { ...successes.of(route), ...failures.responsesOf(route) },
      // Safe (RFC 9110, section 9.2.1): clients may repeat it. A GET always is.
      ...(route.isRead && route.httpMethod !== 'GET' ? { 'x-safe': true } : {}),
    };
    paths[route.template] = { ...paths[route.template], [route.httpMethod.toLowerCase()]: operation };
  }
  checkNames(schemas.components, routes);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Survey platform',
      version: 'v1',
      description: DESCRIPTION,
      contact: { name: 'The operator of your platform' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      ...services
        .filter((service) => routes.some(({ method }) => method.parent === service))
        .map((service) => ({ name: titleOf(service), description: comments.of(service.typeName) })),
      eventTag,
      pageTag,
    ],
    paths: { ...paths, ...describeGatewayPages(failures) },
    webhooks: describeEvents(events),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An API key, or a JWT of your identity provider.',
        },
      },
      responses: inOrder(failures.responses),
      headers: headerComponents,
      parameters: parameterComponents,
      examples: inOrder(failures.examples),
      schemas: inOrder(schemas.components),
    },
  };
}

function checkOperationIds(routes: readonly Route[]): void {
  const methodsByName = new Map<string, DescMethod>();
  for (const { method, operationId } of routes) {
    const other = methodsByName.get(operationId);
    if (other !== undefined)
      throw new Error(`${nameOf(method)} and ${nameOf(other)} cannot both be the operation ${operationId}`);
    methodsByName.set(operationId, method);
  }
}

function metadataOf({ method, operationId, access }: Route, comments: Comments): Json {
  const comment = comments.of(nameOf(method));
  const isQueryForm = operationId !== method.localName;
  const [summary, description] = isQueryForm
    ? [
        `${firstSentence(comment)}, with parameters in the body`,
        `${comment} This is the same as \`${method.localName}\`, for parameters that are too long for a URL.`,
      ]
    : [firstSentence(comment), comment];
  return {
    operationId,
    tags: [titleOf(method.parent)],
    summary,
    description: [description, ...permissionsOf(method, access)].join('\n\n'),
    security: access.kind === 'public' ? [] : [{ bearer: [] }],
  };
}

function permissionsOf(method: DescMethod, access: Route['access']): readonly string[] {
  if (access.kind !== 'permission') return [];
  const extra = extraPermissionsOf(method).map((permission) => `\`${permission}\``);
  const additional = extra.length === 0 ? '' : `, and ${extra.join(', ')} where the description says so`;
  return [`Needs the permission \`${access.permission}\`${additional}.`];
}

function titleOf(service: DescService): string {
  if (!hasOption(service, titleOption)) throw new Error(`${service.typeName} has no title`);
  return getOption(service, titleOption);
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}

function firstSentence(text: string): string {
  return /^[^.]*\.?/.exec(text)?.[0].replace(/\.$/, '') ?? '';
}

function inOrder(named: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}
