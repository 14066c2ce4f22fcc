import { Validator } from '@seriousme/openapi-schema-validator';
import { compileContract } from '@survey/runtime/testing/rpc/compile-contract';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './build-openapi.ts';
import type { Examples } from './examples.ts';

const PUBLIC = 'option (survey.options.v1.access) = { public: true };';

/** A documented service with the operation `rpc` and additional definitions. */
const withOperation = (rpc: string, besides = '') => `
  // Things.
  service ThingService {
    option (survey.options.v1.title) = "Things";
    // Does it. With care.
    ${rpc}
  }
  ${besides}
`;

/** An operation with these request fields and an empty response. */
const taking = (fields: string, besides = '') =>
  withOperation(
    `rpc Do(DoRequest) returns (DoResponse) { option (google.api.http) = { post: "/x" body: "*" }; ${PUBLIC} }`,
    `
      // What to do.
      message DoRequest {
        ${fields}
      }
      // Done.
      message DoResponse { option (survey.options.v1.schema_name) = "Done"; }
      ${besides}
    `,
  );

/** The examples; anything else is rejected because it has no example. */
const examples: Examples = {
  records: {
    Thing: { id: '1', others: [] },
    File: { size: 1 },
    Outcome: { created_at: '2026-01-31T12:00:00.000Z', twin: {} },
  },
  operations: {
    do: { request: {}, response: {} },
    change: { request: {}, response: { note: 'new' } },
    doNothing: { response: {} },
    doHalf: { request: {} },
  },
  parameters: { id: '1', name: 'a.txt' },
  problems: { SURVEY_NOT_FOUND: { detail: 'There is no 77' } },
};

const events = [
  {
    name: 'thing.made',
    description: 'A thing was made. With care.',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'thing.made',
      type: 'object',
      properties: {},
    },
    example: { event: 'thing.made', data: {} },
  },
];

/** Builds documents of several contracts with one compilation, which is slow. Each contract has one package. */
function documentsOf(contracts: Readonly<Record<string, string>>) {
  const { services, descriptorSet } = compileContract(contracts);
  return (name: string): Record<string, unknown> =>
    buildOpenApi({
      services: services.filter(({ file }) => file.proto.package === name),
      descriptorSet,
      examples,
      events,
    });
}

const rules = `
  // A name.
  string name = 1 [(buf.validate.field).string = { min_len: 1, max_len: 9, pattern: "^a" }];
  // A colour.
  optional string colour = 2 [(buf.validate.field).string = { in: ["red", "blue"] }];
  // An id.
  string id = 3 [(buf.validate.field).string.uuid = true];
  // A count.
  uint32 count = 4 [(buf.validate.field).uint32 = { gte: 1, lt: 10 }];
  // A share.
  double share = 5 [(buf.validate.field).double = { gt: 0, lte: 1 }];
  // A size.
  optional int32 size = 6 [(buf.validate.field).int32 = { in: [1, 2] }];
  // Some tags.
  repeated string tags = 7 [(buf.validate.field).repeated = { min_items: 1, max_items: 3, unique: true, items: { string: { min_len: 2, in: ["ab", "cd"] } } }];
  // Some headers.
  map<string, string> headers = 8 [(buf.validate.field).map = { max_pairs: 5, keys: { string: { pattern: "^x" } }, values: { string: { max_len: 4 } } }];
  // Some data.
  google.protobuf.Struct data = 9 [(buf.validate.field).required = true];
  // When.
  google.protobuf.Timestamp since = 10;
  // Whether to agree.
  bool agreed = 11 [(buf.validate.field).bool.const = true];
  // Whatever.
  uint32 plain = 12;
  // Anything.
  google.protobuf.Value any = 13;
`;

const patch = withOperation(
  `rpc Change(ChangeRequest) returns (ChangeResponse) { option (google.api.http) = { patch: "/x/{id}" body: "*" response_body: "thing" }; ${PUBLIC} }`,
  `
    // What to change.
    message ChangeRequest {
      // Which one.
      string id = 1;
      // What is changed.
      google.protobuf.FieldMask update_mask = 2;
      // A title.
      string title = 3 [(buf.validate.field).string.min_len = 1];
      // A note.
      optional string note = 4;
      // Limits.
      Limits limits = 5;
      // Lists of limits.
      repeated Limits more = 6;
    }
    // Limits.
    message Limits {
      // At the most.
      optional int32 max = 1;
    }
    // The changed thing.
    message ChangeResponse {
      // The changed thing.
      Thing thing = 1;
    }
    // A thing.
    message Thing {
      // Which one.
      string id = 1;
      // A note.
      optional string note = 2;
      // Limits.
      Limits limits = 3;
      // Others.
      repeated Thing others = 4;
    }
  `,
);

const names = `
  ${withOperation(
    `rpc Do(DoRequest) returns (DoResponse) { option (google.api.http) = { post: "/x" body: "*" response_body: "thing" }; ${PUBLIC} }
    // Does nothing.
    rpc DoNothing(DoNothingRequest) returns (DoNothingResponse) { option (google.api.http) = { post: "/y" body: "*" }; ${PUBLIC} }`,
  )}
  // What to do.
  message DoRequest {
    // A colour.
    optional string colour = 1 [(survey.options.v1.enum_name) = "Colour", (buf.validate.field).string = { in: ["red", "blue"] }];
    // Colours.
    repeated string colours = 2 [(survey.options.v1.enum_name) = "Colour", (buf.validate.field).repeated.items.string = { in: ["red", "blue"] }];
    // When.
    google.protobuf.Timestamp since = 3 [(survey.options.v1.required) = true];
    // An event.
    google.protobuf.Struct event = 4 [(survey.options.v1.json_schema) = "WebhookEvent"];
  }
  // Done.
  message DoResponse {
    // A thing.
    Outcome thing = 1;
  }
  // Nothing.
  message DoNothingRequest {}
  // Nothing.
  message DoNothingResponse {
    option (survey.options.v1.schema_name) = "Nothing";
  }
  // A thing.
  message Outcome {
    option (survey.options.v1.schema_name) = "Thing";

    // When.
    google.protobuf.Timestamp created_at = 1 [(survey.options.v1.required) = true];
    // When it ended.
    google.protobuf.Timestamp ended_at = 2;
    // Nothing.
    Twin twin = 3;
  }
  // Nothing.
  message Twin {
    option (survey.options.v1.schema_name) = "Nothing";
  }
`;

const raw = `
  // Files.
  service FileService {
    option (survey.options.v1.title) = "Files";
    // Takes a file.
    rpc Upload(FileRequest) returns (File) { option (google.api.http) = { post: "/files" }; ${PUBLIC} option (survey.options.v1.raw) = true; }
    // Gives a file.
    rpc Download(FileRequest) returns (Bytes) { option (google.api.http) = { get: "/files" }; ${PUBLIC} option (survey.options.v1.raw) = true; }
  }
  // Which file.
  message FileRequest {
    // Its name.
    string name = 1 [(buf.validate.field).string.min_len = 1];
  }
  // A file.
  message File {
    // How large it is.
    uint32 size = 1;
  }
  // Bytes.
  message Bytes {}
`;

const rule = (type: string, constraint: string) =>
  taking(`// A field.\n ${type} a = 1 [(buf.validate.field).${constraint}];`);
const enumField = (name: string, field: string) =>
  `string ${field} [(survey.options.v1.enum_name) = "${name}", (buf.validate.field).string = { in: ["red"] }];`;
const refused: Readonly<Record<string, readonly [title: string, contract: string, message: string]>> = {
  'r1.v1': ['a field without a comment', taking('string a = 1;'), 'r1.v1.DoRequest.a has no comment'],
  'r2.v1': [
    'an operation without a comment',
    taking('').replace('// Does it. With care.', ''),
    'r2.v1.ThingService.Do has no comment',
  ],
  'r3.v1': [
    'a message without a comment',
    taking('// A field.\n string a = 1;').replace('// What to do.', ''),
    'r3.v1.DoRequest has no comment',
  ],
  'r4.v1': ['a response without a comment', taking('').replace('// Done.', ''), 'r4.v1.DoResponse has no comment'],
  'r5.v1': ['a service without a comment', taking('').replace('// Things.', ''), 'r5.v1.ThingService has no comment'],
  'r6.v1': [
    'a nested field without a comment',
    taking('// Inner.\n Inner a = 1;', '// Inner.\nmessage Inner { string b = 1; }'),
    'r6.v1.Inner.b has no comment',
  ],
  'r7.v1': [
    'a message called Problem',
    taking('// A problem.\n Problem a = 1;', '// A problem.\nmessage Problem {}'),
    'cannot both be the schema Problem',
  ],
  'r8.v1': [
    'a rule of text that JSON Schema lacks',
    rule('string', 'string.prefix = "a"'),
    'r8.v1.DoRequest.a: the rule string.prefix cannot be documented',
  ],
  'r9.v1': [
    'a rule of items that JSON Schema lacks',
    rule('repeated string', 'repeated.items.string.not_in = "a"'),
    'the rule string.not_in cannot be documented',
  ],
  'r10.v1': [
    'an expression',
    rule('string', 'cel = { id: "a", message: "b", expression: "this.size() > 1" }'),
    'the rule cel cannot be documented',
  ],
  'r11.v1': [
    'an unknown error code',
    taking('').replace(PUBLIC, `${PUBLIC} option (survey.options.v1.errors) = "NO_SUCH_REASON";`),
    'r11.v1.ThingService.Do has the unknown error code NO_SUCH_REASON',
  ],
  'r12.v1': [
    'a service without a title',
    taking('').replace('option (survey.options.v1.title) = "Things";', ''),
    'r12.v1.ThingService has no title',
  ],
  'r13.v1': [
    'a request without an example',
    taking('// A field.\n string a = 1;').replace('rpc Do(', 'rpc DoUnseen('),
    'doUnseen has no example request',
  ],
  'r14.v1': [
    'a response without an example',
    taking('').replace('rpc Do(', 'rpc DoHalf('),
    'doHalf has no example response',
  ],
  'r16.v1': [
    'two named enums with the same value, which Go generators reject',
    taking(['One', 'Two'].map((name, at) => `// A field.\n ${enumField(name, `f${at} = ${at + 1}`)}`).join('\n')),
    'the enums One and Two cannot both have the value red',
  ],
  'r18.v1': [
    'a reply with the name that generators give to it',
    taking('').replace('option (survey.options.v1.schema_name) = "Done";', ''),
    'generators use the name DoResponse themselves: give the message a schema_name',
  ],
  'r17.v1': [
    'an unknown schema of a free-form field',
    taking('// A field.\n google.protobuf.Struct a = 1 [(survey.options.v1.json_schema) = "Strange"];'),
    'r17.v1.DoRequest.a has the unknown schema Strange',
  ],
  'r15.v1': [
    'a parameter without an example',
    taking('// Which.\n string strange = 1;').replace('post: "/x"', 'post: "/x/{strange}"'),
    'the parameter strange has no example',
  ],
};

const twice = `
  // Others.
  service OtherService {
    option (survey.options.v1.title) = "Others";
    // Does it again.
    rpc Do(DoOtherRequest) returns (DoOtherResponse) { option (google.api.http) = { post: "/y" body: "*" }; ${PUBLIC} }
  }
  // What to do.
  message DoOtherRequest {}
  // Done.
  message DoOtherResponse { option (survey.options.v1.schema_name) = "Done"; }
`;

const failing = withOperation(
  `rpc Do(DoRequest) returns (DoResponse) {
    option (google.api.http) = { get: "/x/{id}" };
    option (survey.options.v1.access) = { permission: "things:read", also: ["things:write"] };
    option (survey.options.v1.errors) = "SURVEY_NOT_FOUND";
    option (survey.options.v1.errors) = "STATE_CONFLICT";
    option (survey.options.v1.errors) = "SLUG_TAKEN";
    option (survey.options.v1.takes_header) = { name: "Thing-Token" description: "Lets in." };
    option (survey.options.v1.gives_header) = { name: "Thing-Left" description: "What is left." };
  }`,
  `
    // Which one.
    message DoRequest {
      // Which one.
      string id = 1;
    }
    // Done.
    message DoResponse { option (survey.options.v1.schema_name) = "Done"; }
  `,
);

const documentOf = documentsOf({
  'rules.v1': taking(rules),
  'failing.v1': failing,
  'patch.v1': patch,
  'raw.v1': raw,
  'names.v1': names,
  'twice.v1': taking('') + twice,
  ...Object.fromEntries(Object.entries(refused).map(([name, [, contract]]) => [name, contract])),
});

/** Reads the value at a path of a document. */
function at(name: string, ...path: readonly string[]): unknown {
  // Every value on the path is an object or undefined.
  return path.reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], documentOf(name));
}

describe('buildOpenApi', () => {
  it('documents every rule of a field', () => {
    expect(at('rules.v1', 'paths', '/v1/x', 'post', 'requestBody', 'content', 'application/json', 'schema')).toEqual({
      $ref: '#/components/schemas/DoRequest',
    });
    const schema = ['components', 'schemas', 'DoRequest'];
    expect(at('rules.v1', ...schema, 'required')).toEqual(['name', 'id', 'count', 'share', 'tags', 'data', 'agreed']);
    const description = expect.any(String);
    expect(at('rules.v1', ...schema, 'properties')).toEqual({
      name: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', description },
      colour: { type: 'string', enum: ['red', 'blue'], description },
      id: { type: 'string', format: 'uuid', description },
      count: { type: 'integer', minimum: 1, maximum: 4294967295, exclusiveMaximum: 10, description },
      share: { type: 'number', exclusiveMinimum: 0, maximum: 1, description },
      size: { type: 'integer', format: 'int32', enum: [1, 2], description },
      tags: {
        type: 'array',
        items: { type: 'string', minLength: 2, enum: ['ab', 'cd'] },
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description,
      },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 4 },
        propertyNames: { pattern: '^x' },
        maxProperties: 5,
        description,
      },
      data: { type: 'object', additionalProperties: true, description },
      since: { type: 'string', format: 'date-time', description },
      agreed: { type: 'boolean', const: true, description },
      plain: { type: 'integer', minimum: 0, maximum: 4294967295, description },
      any: { description },
    });
  });

  it('names schemas and values as the contract does', () => {
    const schemas = ['components', 'schemas'];
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const description = expect.any(String);
    expect(at('names.v1', ...schemas, 'Colour')).toEqual({ type: 'string', enum: ['red', 'blue'] });
    expect(at('names.v1', ...schemas, 'DoRequest', 'properties')).toMatchObject({
      colour: { ...ref('Colour'), description },
      colours: { type: 'array', items: ref('Colour'), description },
      event: { ...ref('WebhookEvent'), description },
    });
    expect(at('names.v1', 'paths', '/v1/x', 'post', 'responses', '200', 'content')).toMatchObject({
      'application/json': { schema: ref('Thing') },
    });
    expect(at('names.v1', ...schemas, 'Thing', 'properties', 'twin')).toEqual({ ...ref('Nothing'), description });
    expect(Object.keys(at('names.v1', ...schemas) ?? {})).not.toContain('Twin');
  });

  it('requires members that the contract says are always there', () => {
    expect(at('names.v1', 'components', 'schemas', 'DoRequest', 'required')).toEqual(['since']);
    expect(at('names.v1', 'components', 'schemas', 'Thing', 'required')).toEqual(['created_at']);
  });

  it('documents no body for an operation without members', () => {
    const operation = ['paths', '/v1/y', 'post'];
    expect(at('names.v1', ...operation, 'summary')).toBe('Does nothing');
    expect(at('names.v1', ...operation, 'requestBody')).toBeUndefined();
    expect(at('names.v1', ...operation, 'responses')).not.toHaveProperty('415');
  });

  it('documents which members of a patch can be null', () => {
    const body = ['paths', '/v1/x/{id}', 'patch', 'requestBody'];
    expect(at('patch.v1', ...body, 'required')).toBe(false);
    expect(at('patch.v1', ...body, 'content')).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/ChangeRequest' }, example: {} },
    });
    const clearable = (schema: object, description: string) => ({ anyOf: [schema, { type: 'null' }], description });
    expect(at('patch.v1', 'components', 'schemas', 'ChangeRequest')).toEqual({
      type: 'object',
      description: 'What to change.',
      properties: {
        title: { type: 'string', minLength: 1, description: 'A title.' },
        note: clearable({ type: 'string' }, 'A note.'),
        limits: clearable({ $ref: '#/components/schemas/LimitsPatch' }, 'Limits.'),
        more: clearable({ type: 'array', items: { $ref: '#/components/schemas/Limits' } }, 'Lists of limits.'),
      },
      additionalProperties: false,
    });
    expect(at('patch.v1', 'components', 'schemas', 'LimitsPatch', 'properties', 'max', 'anyOf')).toContainEqual({
      type: 'null',
    });
    expect(at('patch.v1', 'components', 'schemas', 'Limits', 'properties', 'max', 'type')).toBe('integer');
  });

  it('documents which members a response always has, and allows additional members', () => {
    const thing = ['components', 'schemas', 'Thing'];
    expect(at('patch.v1', ...thing, 'required')).toEqual(['id', 'others']);
    expect(at('patch.v1', ...thing, 'additionalProperties')).toBeUndefined();
  });

  it('documents raw operations', () => {
    const files = ['paths', '/v1/files'];
    const bytes = { schema: { type: 'string', format: 'binary' } };
    expect(at('raw.v1', ...files, 'post', 'requestBody', 'content')).toEqual({ 'application/octet-stream': bytes });
    expect(at('raw.v1', ...files, 'post', 'parameters')).toEqual([
      expect.objectContaining({ name: 'name', in: 'query', required: true }),
    ]);
    const json = { schema: { $ref: '#/components/schemas/File' }, example: { size: 1 } };
    expect(at('raw.v1', ...files, 'post', 'responses', '200', 'content')).toEqual({ 'application/json': json });
    expect(at('raw.v1', ...files, 'get', 'responses', '200', 'content')).toEqual({ '*/*': bytes });
    expect(at('raw.v1', ...files, 'get', 'requestBody')).toBeUndefined();
    expect(at('raw.v1', ...files, 'get', 'responses', '406')).toBeUndefined();
  });

  it('documents the error codes of an operation by status', () => {
    const responses = ['paths', '/v1/x/{id}', 'get', 'responses'];
    const named = (name: string) => ({ $ref: `#/components/responses/${name}` });
    expect(at('failing.v1', ...responses)).toEqual({
      200: expect.anything(),
      400: named('InvalidRequest'),
      401: named('InvalidToken'),
      403: named('PermissionDenied'),
      404: named('SurveyNotFound'),
      406: named('NotAcceptable'),
      409: expect.objectContaining({ description: expect.stringMatching(/^`STATE_CONFLICT`.*`SLUG_TAKEN`/s) }),
      429: named('TooManyRequests'),
      503: named('Unavailable'),
      '5XX': named('ServerError'),
    });
    const body = ['content', 'application/problem+json', 'examples'];
    expect(at('failing.v1', 'components', 'responses', 'SurveyNotFound', ...body)).toEqual({
      SURVEY_NOT_FOUND: { $ref: '#/components/examples/SURVEY_NOT_FOUND' },
    });
    expect(at('failing.v1', 'components', 'examples', 'SURVEY_NOT_FOUND', 'value')).toMatchObject({
      status: 404,
      code: 'SURVEY_NOT_FOUND',
      detail: 'There is no 77',
    });
  });

  it('documents the request that a webhook gets for an event', () => {
    const schema = { $ref: '#/components/schemas/ThingMadeEvent' };
    expect(at('failing.v1', 'webhooks')).toEqual({
      'thing.made': {
        post: expect.objectContaining({
          operationId: 'onThingMade',
          summary: 'A thing was made',
          parameters: expect.arrayContaining([expect.objectContaining({ name: 'webhook-signature', required: true })]),
          requestBody: { required: true, content: { 'application/json': { schema, example: events[0]?.example } } },
        }),
      },
    });
    const schemas = ['components', 'schemas'];
    expect(at('failing.v1', ...schemas, 'WebhookEvent')).toMatchObject({
      oneOf: [schema],
      discriminator: { propertyName: 'event', mapping: { 'thing.made': schema.$ref } },
    });
    expect(at('failing.v1', ...schemas, 'ThingMadeEvent', 'properties')).toMatchObject({
      event: { const: 'thing.made' },
      data: { $ref: '#/components/schemas/ThingMadeData' },
    });
    expect(at('failing.v1', ...schemas, 'ThingMadeData')).toEqual({
      type: 'object',
      description: 'The data of `thing.made`.',
      properties: {},
    });
  });

  it('documents headers and permissions', () => {
    const operation = ['paths', '/v1/x/{id}', 'get'];
    expect(at('failing.v1', ...operation, 'parameters')).toContainEqual({
      name: 'Thing-Token',
      in: 'header',
      description: 'Lets in.',
      schema: { type: 'string' },
    });
    expect(at('failing.v1', ...operation, 'responses', '200', 'headers')).toHaveProperty('Thing-Left');
    expect(at('failing.v1', ...operation, 'description')).toBe(
      'Does it. With care.\n\nNeeds the permission `things:read`, and `things:write` where the description says so.',
    );
  });

  it('has the changed example of a record', () => {
    const json = ['content', 'application/json', 'example'];
    expect(at('patch.v1', 'paths', '/v1/x/{id}', 'patch', 'responses', '200', ...json)).toEqual({
      id: '1',
      others: [],
      note: 'new',
    });
    expect(at('patch.v1', 'paths', '/v1/x/{id}', 'patch', 'parameters')).toContainEqual(
      expect.objectContaining({ name: 'id', schema: { type: 'string', examples: ['1'] } }),
    );
  });

  it.each(['rules.v1', 'patch.v1', 'raw.v1', 'failing.v1', 'names.v1'])('is valid OpenAPI 3.1 for %s', async (name) => {
    const { errors } = await new Validator().validate(structuredClone(documentOf(name)));
    expect(errors).toBeUndefined();
  });

  it.each(Object.entries(refused).map(([name, [title, , message]]) => ({ name, title, message })))(
    'rejects $title',
    ({ name, message }) => {
      expect(() => documentOf(name)).toThrow(message);
    },
  );

  it('rejects two operations of the same name', () => {
    expect(() => documentOf('twice.v1')).toThrow(
      'twice.v1.OtherService.Do and twice.v1.ThingService.Do cannot both be the operation do',
    );
  });

  it('rejects two different messages of the same name', () => {
    const inner = 'An inner one.';
    const { services, descriptorSet } = compileContract({
      'one.v1': taking(`// ${inner}\n Inner a = 1;`, `// ${inner}\nmessage Inner {}`),
      'two.v1': taking(`// ${inner}\n Inner b = 1;`, '// Another one.\nmessage Inner {}')
        .replace('"/x"', '"/y"')
        .replaceAll(/Do(?=Re|\()/g, 'DoOther'),
    });
    const shown = { ...examples, operations: { ...examples.operations, doOther: { request: {}, response: {} } } };
    expect(() => buildOpenApi({ services, descriptorSet, examples: shown, events: [] })).toThrow(
      'cannot both be the schema Inner',
    );
  });
});
