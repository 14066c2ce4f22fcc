import type { MessageShape } from '@bufbuild/protobuf';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';

const { services } = compileContract({
  'test.v1': `
    service Things {
      rpc Change(Patch) returns (Response) {
        option (google.api.http) = { patch: "/things/{id}" body: "*" };
        option (survey.options.v1.access) = { public: true };
      }
    }
    message Limits {
      optional int32 max = 1 [(buf.validate.field).int32.gte = 0];
      string unit = 2 [(buf.validate.field).string.min_len = 1];
    }
    message Patch {
      string id = 1 [(buf.validate.field).string.max_len = 5];
      google.protobuf.FieldMask update_mask = 2;
      string title = 3 [(buf.validate.field).string.min_len = 1];
      optional string note = 4;
      bool active = 5;
      Limits limits = 6;
      repeated string tags = 7 [(buf.validate.field).repeated.max_items = 2];
      google.protobuf.Struct settings = 8;
      google.protobuf.Timestamp until = 9;
      optional string kind = 10 [(buf.validate.field).required = true];
    }
    message Response { string text = 1; }
  `,
});

let server: RestServer;
beforeAll(async () => {
  const handlers = {
    change: (message: MessageShape<never> & { updateMask?: FieldMask }) => {
      const { $typeName, updateMask, ...fields } = message as Record<string, unknown> & { updateMask?: FieldMask };
      return {
        text: JSON.stringify({ paths: updateMask?.paths, fields }, (_, value) =>
          typeof value === 'bigint' ? Number(value) : value,
        ),
      };
    },
  };
  server = await serveRest(services.map((service) => ({ service, handlers })));
});
afterAll(() => server.close());

const send = (body: string, type = 'application/merge-patch+json', path = '/v1/things/1') =>
  server.call('PATCH', path, { body, headers: { 'content-type': type } });

async function patch(body: string): Promise<{ paths: string[]; fields: Record<string, unknown> }> {
  const { status, json } = await send(body);
  expect([status, json.errors]).toEqual([200, undefined]);
  return JSON.parse(json.text);
}

async function problems(body: string) {
  const { status, json } = await send(body);
  return [status, ...(json.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)];
}

describe('a merge patch', () => {
  it('does not change absent members', async () => {
    expect(await patch('{}')).toMatchObject({ paths: [], fields: { id: '1', title: '' } });
    expect(await patch('{"title":"x"}')).toMatchObject({ paths: ['title'], fields: { title: 'x' } });
  });

  it('sets false, empty text and zero', async () => {
    const { paths, fields } = await patch('{"active":false,"note":"","tags":[],"limits":{"max":0}}');
    expect(paths).toEqual(['note', 'active', 'limits.max', 'tags']);
    expect(fields).toMatchObject({ active: false, note: '', tags: [], limits: { max: 0 } });
  });

  it('clears members that are null', async () => {
    const { paths, fields } = await patch('{"note":null,"tags":null,"until":null,"active":null}');
    expect(paths).toEqual(['note', 'active', 'tags', 'until']);
    expect(fields).toMatchObject({ tags: [], active: false });
    expect([fields['note'], fields['until']]).toEqual([undefined, undefined]);
  });

  it('names nested members, and a message that is cleared', async () => {
    expect((await patch('{"limits":{"max":null,"unit":"kg"}}')).paths).toEqual(['limits.max', 'limits.unit']);
    expect((await patch('{"limits":null}')).paths).toEqual(['limits']);
    expect((await patch('{"limits":{}}')).paths).toEqual([]);
  });

  it('passes free-form members unchanged, including null', async () => {
    const { paths, fields } = await patch('{"settings":{"a":null,"b":{"c":1}}}');
    expect([paths, fields['settings']]).toEqual([['settings'], { a: null, b: { c: 1 } }]);
  });

  it('accepts both media types, in UTF-8, and no others', async () => {
    for (const type of ['application/json', 'application/merge-patch+json; charset=utf-8'])
      expect((await send('{}', type)).status).toBe(200);
    for (const type of ['application/json-patch+json', 'text/plain']) expect((await send('[]', type)).status).toBe(415);
  });

  it('cannot clear required members', async () => {
    expect(await problems('{"title":null,"kind":null,"limits":{"unit":null}}')).toEqual([
      422,
      '/title REQUIRED',
      '/limits/unit REQUIRED',
      '/kind REQUIRED',
    ]);
  });

  it('is validated only for the members that it sets', async () => {
    expect(await problems('{"title":"","limits":{"max":-1},"tags":["a","b","c"]}')).toEqual([
      422,
      '/title TOO_SHORT',
      '/limits/max OUT_OF_RANGE',
      '/tags TOO_MANY',
    ]);
    expect((await send('{"note":"x"}', 'application/json', '/v1/things/123456')).json.errors).toEqual([
      expect.objectContaining({ path: '{id}', code: 'TOO_LONG' }),
    ]);
  });

  it.each([
    ['{"update_mask":"title"}', '/update_mask UNKNOWN_FIELD'],
    ['{"update_mask":null}', '/update_mask UNKNOWN_FIELD'],
    ['{"updateMask":["title"]}', '/updateMask UNKNOWN_FIELD'],
    ['{"limits":{"nope":null}}', '/limits/nope UNKNOWN_FIELD'],
    ['{"nope":null}', '/nope UNKNOWN_FIELD'],
    ['{"limits":5}', '/limits WRONG_TYPE'],
    ['{"tags":[null]}', '/tags/0 WRONG_TYPE'],
    ['{"id":"2"}', '/id UNKNOWN_FIELD'],
    ['{"id":null}', '/id UNKNOWN_FIELD'],
    ['{"note":"a","note":null}', '/note DUPLICATE_MEMBER'],
  ])('is rejected as %s', async (body, problem) => {
    expect(await problems(body)).toEqual([400, problem]);
  });

  it.each(['[]', 'null', '"x"', '1'])('is rejected as %s, which would replace the record', async (body) => {
    expect((await send(body)).json.detail).toBe('The body must be a JSON object');
  });
});
