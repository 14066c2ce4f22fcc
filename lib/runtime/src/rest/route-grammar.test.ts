import { describe, expect, it } from 'vitest';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { type Route, routesOf } from './route.ts';

interface Operation {
  readonly http?: string;
  readonly options?: string;
  readonly takes?: string;
  readonly gives?: string;
  readonly besides?: string;
}

/** Routes of operations, each in its own package. They are compiled together, because compiling is slow. */
function routesFor(operations: readonly Operation[]): readonly (() => readonly Route[])[] {
  const files = operations.map((operation, index) => [`case${index}.v1`, toProto(operation)] as const);
  const { services } = compileContract(Object.fromEntries(files));
  return files.map(
    ([name]) =>
      () =>
        routesOf(services.filter(({ file }) => file.proto.package === name)),
  );
}

function toProto({
  http = 'post: "/x" body: "*"',
  options = '',
  takes = '',
  gives = '',
  besides = '',
}: Operation): string {
  return `
    service Things {
      rpc Do(Request) returns (Response) {
        option (google.api.http) = { ${http} };
        option (survey.options.v1.access) = { public: true };
        ${options}
      }
    }
    message Request { ${takes} }
    message Response { ${gives} }
    message Inner { string text = 1; }
    enum Colour { COLOUR_UNSPECIFIED = 0; }
    ${besides}
  `;
}

const MASK = 'google.protobuf.FieldMask update_mask = 9;';
const PATCHED = 'string id = 1; google.protobuf.FieldMask update_mask = 9;';
const PATCH = 'patch: "/x/{id}" body: "*"';
const GET = 'get: "/x"';
const RAW = 'option (survey.options.v1.raw) = true;';
const SAFE = 'option idempotency_level = NO_SIDE_EFFECTS;';
const FORM = 'additional_bindings { post: "/x/query" body: "*" }';
/** A GET with this additional binding. */
const besideGet = (binding: string, options = SAFE) => ({
  http: `${GET} additional_bindings { ${binding} }`,
  takes: 'string a = 1;',
  options,
});
const code = (status: number) => `option (survey.options.v1.success_code) = ${status};`;
const DEEP =
  'message Outer { Middle a = 1; } message Middle { repeated Outer a = 1; Deep b = 2; } message Deep { bytes a = 1; }';
const MAP_INSIDE = 'message Outer { Outer a = 1; map<string, string> b = 2; }';

/** Fields that JSON does not support. */
const unsupported: readonly (readonly [string, string])[] = [
  ['int64 a = 1;', 'is of the type int64'],
  ['uint64 a = 1;', 'is of the type uint64'],
  ['float a = 1;', 'is of the type float'],
  ['bytes a = 1;', 'is of the type bytes'],
  ['fixed32 a = 1;', 'is of the type fixed32'],
  ['repeated sint64 a = 1;', 'is of the type sint64'],
  ['map<string, bytes> a = 1;', 'is of the type bytes'],
  ['Colour a = 1;', 'is an enum; use a string'],
  ['repeated Colour a = 1;', 'is an enum'],
  ['map<string, Colour> a = 1;', 'is an enum'],
  ['map<int32, string> a = 1;', 'is a map whose keys are not strings'],
  ['oneof b { string a = 1; string c = 2; }', 'is in a oneof'],
  ['google.protobuf.Duration a = 1;', 'is a google.protobuf.Duration'],
  ['google.protobuf.ListValue a = 1;', 'is a google.protobuf.ListValue'],
  ['google.protobuf.FieldMask a = 1;', 'is a google.protobuf.FieldMask'],
];

const rejected: readonly (readonly [string, Operation, string])[] = [
  ...unsupported.map(([takes, why]) => [`${takes} in a request`, { takes }, `Request.a ${why}`] as const),
  ...unsupported.map(([gives, why]) => [`${gives} in a response`, { gives }, `Response.a ${why}`] as const),
  ['bytes far inside', { takes: 'map<string, Outer> a = 1;', besides: DEEP }, 'Deep.a is of the type bytes'],

  ['a message in the query', { http: GET, takes: 'Inner a = 1;' }, 'a cannot be a query parameter'],
  ['any JSON in the query', { http: GET, takes: 'google.protobuf.Value a = 1;' }, 'a cannot be a query parameter'],
  [
    'a list of objects in the query',
    { http: GET, takes: 'repeated google.protobuf.Struct a = 1;' },
    'a cannot be a query parameter',
  ],
  ['a map in the query', { http: GET, takes: 'map<string, string> a = 1;' }, 'a cannot be a query parameter'],
  [
    'a list of moments in the query',
    { http: GET, takes: 'repeated google.protobuf.Timestamp a = 1;' },
    'a cannot be a query parameter',
  ],
  [
    'a list in the path',
    { http: 'get: "/x/{a}"', takes: 'repeated string a = 1;' },
    'a is in the path, but not a string',
  ],
  ['a field of a message in the path', { http: 'get: "/x/{a.text}"', takes: 'Inner a = 1;' }, 'is not supported'],

  ['a body on get', { http: 'get: "/x" body: "*"' }, 'a get cannot have a body'],
  ['a body on delete', { http: 'delete: "/x" body: "*"' }, 'a delete cannot have a body'],
  ['a body of no field', { http: 'put: "/x" body: "nope"' }, 'Request has no field nope'],
  ['a body that is in the path', { http: 'put: "/x/{a}" body: "a"', takes: 'string a = 1;' }, 'bound twice'],
  ['a response body of no field', { http: 'get: "/x" response_body: "nope"' }, 'Response has no field nope'],
  [
    'a response body of a field of the request',
    { http: 'get: "/x" response_body: "a"', takes: 'string a = 1;' },
    'Response has no field a',
  ],

  ['203 as the success code', { options: code(203) }, 'success_code 203 is not supported'],
  ['an error as the success code', { options: code(404) }, 'success_code 404 is not supported'],
  [
    'a response body with 204',
    { http: 'post: "/x" response_body: "a"', gives: 'string a = 1;', options: code(204) },
    'a 204 cannot have a response_body',
  ],
  ['a raw operation with a bound body', { options: RAW }, 'a raw body is bound to no field'],

  ['two additional bindings', { http: `${GET} ${FORM} ${FORM}`, options: SAFE }, 'only a get can have additional_'],
  [
    'an additional binding of a post',
    { http: `post: "/x" body: "*" ${FORM}`, options: SAFE },
    'only a get can have additional_bindings',
  ],
  ['an additional get', besideGet('get: "/y/query"'), 'additional_bindings must be a post with the body *'],
  ['an additional put', besideGet('put: "/x/query" body: "*"'), 'additional_bindings must be a post'],
  ['an additional post of one field', besideGet('post: "/x/query" body: "a"'), 'must be a post with the body *'],
  ['an additional post without a body', besideGet('post: "/x/query"'), 'must be a post with the body *'],
  ['an additional post elsewhere', besideGet('post: "/x/search" body: "*"'), 'a path that ends in /query'],
  ['nested bindings', besideGet(`post: "/x/query" body: "*" ${FORM}`), 'additional_bindings cannot be nested'],
  [
    'an additional binding of an operation with side effects',
    besideGet('post: "/x/query" body: "*"', ''),
    'additional_bindings need the idempotency_level NO_SIDE_EFFECTS',
  ],
  [
    'an unknown field in the path of an additional binding',
    besideGet('post: "/x/{nope}/query" body: "*"'),
    'Request has no field nope',
  ],
  [
    'an unknown response body of an additional binding',
    besideGet('post: "/x/query" body: "*" response_body: "nope"'),
    'Response has no field nope',
  ],

  ['a patch without a mask', { http: PATCH, takes: 'string id = 1;' }, 'PATCH needs an update_mask of the type'],
  [
    'a patch with a mask of text',
    { http: PATCH, takes: 'string id = 1; string update_mask = 2;' },
    'PATCH needs an update_mask of the type google.protobuf.FieldMask',
  ],
  [
    'a patch with several masks',
    { http: PATCH, takes: 'string id = 1; repeated google.protobuf.FieldMask update_mask = 2;' },
    'PATCH needs an update_mask of the type',
  ],
  ['a patch without a body', { http: 'patch: "/x/{id}"', takes: PATCHED }, 'PATCH needs the body *'],
  [
    'a patch of one field',
    { http: 'patch: "/x/{id}" body: "a"', takes: `${PATCHED} Inner a = 2;` },
    'PATCH needs the body *',
  ],
  [
    'a patch of its mask',
    { http: 'patch: "/x/{id}" body: "update_mask"', takes: PATCHED },
    'Request has no field update_mask',
  ],
  ['a raw patch', { http: 'patch: "/x/{id}"', takes: PATCHED, options: RAW }, 'PATCH needs the body *'],
  ['a patch of a map', { http: PATCH, takes: `${PATCHED} map<string, string> a = 2;` }, 'Request.a is a map'],
  [
    'a patch of a map inside',
    { http: PATCH, takes: `${PATCHED} Outer a = 2;`, besides: MAP_INSIDE },
    'Outer.b is a map',
  ],
  ['a mask in a post', { takes: MASK }, 'only PATCH can have an update_mask'],
  ['a mask in a put', { http: 'put: "/x" body: "*"', takes: MASK }, 'only PATCH can have an update_mask'],
  ['a mask in the query', { http: GET, takes: MASK }, 'only PATCH can have an update_mask'],
];

const patch = { http: PATCH, takes: `${PATCHED} repeated Inner a = 2;` };
const list = { http: GET, takes: 'google.protobuf.Timestamp a = 1; repeated bool b = 2; optional double c = 3;' };
const object = { http: GET, takes: 'google.protobuf.Struct a = 1;' };
const listed = {
  ...besideGet('post: "/x/query" body: "*"'),
  http: `${GET} response_body: "b" ${FORM}`,
  gives: 'string b = 1;',
};
const rawRead = { http: GET, options: RAW };
const rawWrite = { http: 'post: "/x"', takes: 'string a = 1;', options: RAW };
const taken: readonly (readonly [string, Operation, Readonly<Record<string, unknown>>])[] = [
  ['a patch, whose mask is in neither query nor body', patch, { mask: 'update_mask', query: [], members: ['a'] }],
  ['moments and lists in the query', list, { query: ['a', 'b', 'c'], takesBody: false }],
  ['an object in the query', object, { query: ['a'], queryForm: undefined, form: undefined }],
  [
    'a read with a query form, which replies with the whole message',
    listed,
    {
      ...{ operationId: 'do', httpMethod: 'GET', queryForm: '/v1/x/query', isRead: true, takesBody: false },
      ...{ query: ['a'], members: [], responseBody: { name: 'b' } },
      form: {
        ...{ operationId: 'doByQuery', httpMethod: 'POST', template: '/v1/x/query', isRead: true, takesBody: true },
        ...{ query: [], members: ['a'], body: '*', responseBody: undefined, queryForm: undefined },
      },
    },
  ],
  [
    'a raw read with a query form, whose handler gets the message',
    besideGet('post: "/x/query" body: "*"', SAFE + RAW),
    {
      ...{ hasRawHandler: true, takesBody: false, handlerReadsBody: false },
      form: { hasRawHandler: true, takesBody: true, handlerReadsBody: false, members: ['a'], heavy: true },
    },
  ],
  ['a write without side effects as a read', { options: SAFE }, { httpMethod: 'POST', isRead: true }],
  ['a write', {}, { isRead: false }],
  ['a raw read, without a body', rawRead, { hasRawHandler: true, takesBody: false }],
  [
    'a raw write, its fields in the query',
    rawWrite,
    { hasRawHandler: true, takesBody: true, handlerReadsBody: true, query: ['a'], members: [] },
  ],
  ['204', { options: code(204) }, { successCode: 204 }],
  ['200 that is said', { options: code(200) }, { successCode: 200 }],
];

const routes = routesFor([...rejected, ...taken].map(([, operation]) => operation));

describe('routesOf', () => {
  it.each(rejected.map(([name, , message], index) => ({ name, message, read: routes[index] })))(
    'rejects $name',
    ({ read, message }) => {
      expect(read).toThrow(/Things.Do: /);
      expect(read).toThrow(message);
    },
  );

  it.each(taken.map(([name, , parts], index) => ({ name, parts, read: routes[rejected.length + index] })))(
    'takes $name',
    ({ read, parts }) => {
      const [route, form] = (read?.() ?? []).map((one) => ({
        ...one,
        query: [...one.query.keys()],
        members: one.members.map(({ name }) => name),
        mask: one.updateMask?.name,
      }));
      expect({ ...route, form }).toMatchObject(parts);
    },
  );
});
