import { Validator } from '@seriousme/openapi-schema-validator';
import { compileContract } from '@survey/runtime/testing/rpc/compile-contract';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './build-openapi.ts';
import type { Examples } from './examples.ts';
import type { ApiDocument } from './printing/client-operations.ts';
import { printClient } from './printing/print-client.ts';

// Reads with a query form: a POST for parameters that are too long for a URL. See `Route` of the runtime.

const READ = `
  option (survey.options.v1.access) = { permission: "things:import" };
  option idempotency_level = NO_SIDE_EFFECTS;
`;

const parts = `
  // Parts.
  service PartService {
    option (survey.options.v1.title) = "Parts";
    // Lists parts. By age.
    rpc ListParts(ListPartsRequest) returns (ListPartsResponse) {
      option (google.api.http) = {
        get: "/things/{id}/parts"
        response_body: "parts"
        additional_bindings { post: "/things/{id}/parts/query" body: "*" }
      };
      ${READ}
    }
    // Counts parts.
    rpc CountParts(CountPartsRequest) returns (CountPartsResponse) {
      option (google.api.http) = {
        get: "/things/{id}/parts/count"
        additional_bindings { post: "/things/{id}/parts/count/query" body: "*" }
      };
      ${READ}
    }
    // Exports parts.
    rpc ExportParts(CountPartsRequest) returns (ExportPartsResponse) {
      option (google.api.http) = {
        get: "/things/{id}/parts/export"
        additional_bindings { post: "/things/{id}/parts/export/query" body: "*" }
      };
      option (survey.options.v1.raw) = true;
      ${READ}
    }
  }
  // Which parts to list.
  message ListPartsRequest {
    // The thing.
    string id = 1;
    // Conditions.
    google.protobuf.Struct where = 2 [(survey.options.v1.json_schema) = "WebhookEvent"];
    // The next page.
    string cursor = 3;
    // How many.
    optional int32 limit = 4 [(buf.validate.field).int32.lte = 10];
  }
  // Some parts.
  message ListPartsResponse {
    option (survey.options.v1.schema_name) = "PartPage";

    // Parts.
    repeated Part parts = 1;
    // The next page.
    string next_cursor = 2;
    // How many parts were read.
    uint32 scanned = 3;
  }
  // A part.
  message Part {
    // Its name.
    string name = 1;
  }
  // Which parts to count.
  message CountPartsRequest {
    // The thing.
    string id = 1;
    // Conditions.
    google.protobuf.Struct where = 2;
  }
  // A count.
  message CountPartsResponse {
    option (survey.options.v1.schema_name) = "PartCount";

    // How many.
    uint32 count = 1;
  }
  // A file.
  message ExportPartsResponse {}
`;

const where = { event: 'thing.made', data: {} };
const examples: Examples = {
  records: { Part: { name: 'a' } },
  operations: {
    listPartsByQuery: { request: { where }, response: { parts: [{ name: 'a' }], next_cursor: '', scanned: 1 } },
    countParts: { response: { count: 3 } },
    countPartsByQuery: { request: { where } },
    exportPartsByQuery: { request: { where } },
  },
  parameters: { id: '1', where, cursor: 'c', limit: '5' },
  problems: {},
};
const event = { name: 'thing.made', description: 'A thing was made.', schema: { type: 'object', properties: {} } };
const events = [{ ...event, example: where }];

const contracts = {
  'parts.v1': parts,
  'reply.v1': parts.replace('"PartPage"', '"ListPartsByQueryResponse"'),
  'twice.v1': parts.replaceAll('CountParts(', 'ListPartsByQuery('),
};
const { services, descriptorSet } = compileContract(contracts);

function documentOf(name: keyof typeof contracts) {
  const own = services.filter(({ file }) => file.proto.package === name);
  return buildOpenApi({ services: own, descriptorSet, examples, events });
}

/** The parts of a document that the tests read. Not all operations have all members. */
interface Document extends ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
type Operation = ApiDocument['paths'][string][string] & {
  readonly summary: string;
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: object }>>;
};

const built = documentOf('parts.v1');
const document = built as unknown as Document;
const operationOf = (method: string, path: string): Operation => {
  const operation = document.paths[`/v1/things/{id}/parts${path}`]?.[method];
  if (operation === undefined) throw new Error(`the document has no ${method} ${path}`);
  return operation;
};
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the document of a read with a query form', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { errors } = await new Validator().validate(structuredClone(built));
    expect(errors).toBeUndefined();
  });

  it('has both forms as operations, which say that they are the same', () => {
    expect(operationOf('get', '')).toMatchObject({
      operationId: 'listParts',
      summary: 'Lists parts',
      description: 'Lists parts. By age.\n\nNeeds the permission `things:import`.',
    });
    expect(operationOf('post', '/query')).toMatchObject({
      operationId: 'listPartsByQuery',
      summary: 'Lists parts, with parameters in the body',
      description:
        'Lists parts. By age. This is the same as `listParts`, for parameters that are too long for a URL.\n\n' +
        'Needs the permission `things:import`.',
      security: [{ bearer: [] }],
      'x-safe': true,
    });
    expect(operationOf('get', '')).not.toHaveProperty('x-safe');
  });

  it('has an object as a parameter in JSON, and as a member of the body', () => {
    const parameters = operationOf('get', '').parameters ?? [];
    expect(parameters).toContainEqual({
      name: 'where',
      in: 'query',
      required: false,
      description: 'Conditions.',
      content: { 'application/json': { schema: named('WebhookEvent'), example: where } },
    });
    const { parameters: ofForm, requestBody } = operationOf('post', '/query');
    expect(ofForm).toMatchObject([{ name: 'id', in: 'path' }]);
    expect(requestBody).toEqual({
      required: false,
      content: { 'application/json': { schema: named('ListPartsRequest'), example: { where } } },
    });
    const { properties = {} } = document.components.schemas['ListPartsRequest'] ?? {};
    expect(Object.keys(properties)).toEqual(['where', 'cursor', 'limit']);
    expect(properties['where']).toEqual({ ...named('WebhookEvent'), description: 'Conditions.' });
  });

  it('has the list as the reply, and the whole message as that of the query form', () => {
    const [list, page] = [operationOf('get', ''), operationOf('post', '/query')].map(
      ({ responses }) => responses['200'],
    );
    expect([list?.headers, page?.headers].map((headers = {}) => 'Link' in headers)).toEqual([true, false]);
    expect(list?.content).toMatchObject({ 'application/json': { schema: { type: 'array', items: named('Part') } } });
    expect(page?.content).toEqual({
      'application/json': { schema: named('PartPage'), example: examples.operations['listPartsByQuery']?.response },
    });
    const counted = operationOf('post', '/count/query').responses['200']?.content;
    expect(counted).toEqual({ 'application/json': { schema: named('PartCount'), example: { count: 3 } } });
    expect(operationOf('post', '/export/query').responses['200']?.content).toHaveProperty(['*/*']);
  });

  it('has the errors and headers of a read with a body', () => {
    const [inQuery, inBody] = [operationOf('get', ''), operationOf('post', '/query')].map(
      ({ responses }) => new Set(Object.keys(responses)),
    );
    expect([...(inBody ?? [])].filter((status) => !inQuery?.has(status))).toEqual(['413', '415', '422']);
    const problems = JSON.stringify(operationOf('post', '/query').responses['400']);
    expect(problems).toContain('INVALID_CURSOR');
    const text = JSON.stringify(operationOf('post', '/query'));
    for (const name of ['Idempotency', 'If-Match', 'IfMatch', 'If-None-Match', 'ETag'])
      expect(text).not.toContain(name);
  });

  it('has no name twice', () => {
    expect(() => documentOf('reply.v1')).toThrow('generators use the name ListPartsByQueryResponse themselves');
    expect(() => documentOf('twice.v1')).toThrow(
      'twice.v1.PartService.ListPartsByQuery and twice.v1.PartService.ListParts cannot both be the operation listParts',
    );
  });
});

describe('the client of a read with a query form', () => {
  const files = printClient(document);

  it('has a method for each form, with the same type of reply', () => {
    const resources = files['resources.ts'] ?? '';
    for (const signature of [
      'list(id: string, query?: ListPartsQuery, options?: Options): Pages<Part>;',
      'listByQuery(id: string, input?: ListPartsRequest, options?: Options): Pages<Part>;',
      'countByQuery(id: string, input?: CountPartsRequest, options?: Options): Reply<PartCount>;',
      'exportByQuery(id: string, input?: CountPartsRequest, options?: Options): Reply<Download>;',
    ])
      expect(resources).toContain(`  ${signature}\n`);
  });

  it('has objects with their types', () => {
    const [query = '', input = ''] = ['ListPartsQuery', 'ListPartsRequest'].map(
      (name) => new RegExp(`export interface ${name} \\{.*?\\n\\}`, 's').exec(files['types.ts'] ?? '')?.[0],
    );
    for (const type of [query, input]) expect(type).toContain('\n  where?: WebhookEvent;\n');
  });

  it('repeats the query form, and finds the items of its pages', () => {
    const page = { method: 'POST', path: '/v1/things/{id}/parts/query', reply: 'pages', items: 'parts' };
    const descriptor = JSON.stringify({ ...page, json: 'application/json', safe: true });
    expect(files['operations.ts']).toContain(`    listByQuery: ${descriptor},\n`);
  });
});
