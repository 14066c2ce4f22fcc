import { fromJson, type JsonObject } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { createMessageCheck } from './message-check.ts';

const message = compileContract({
  'test.v1': `
    message Thing {
      optional string needed = 1 [(buf.validate.field).required = true];
      string text = 2 [(buf.validate.field).string = {min_len: 2, max_len: 3}];
      string kind = 3 [(buf.validate.field).string = {in: ["a", ""]}];
      optional string id = 4 [(buf.validate.field).string.uuid = true];
      string mail = 5 [(buf.validate.field).ignore = IGNORE_IF_ZERO_VALUE, (buf.validate.field).string.email = true];
      string name = 6 [(buf.validate.field).string.pattern = "^[a-z]*$"];
      int32 size = 7 [(buf.validate.field).int32 = {gte: 0, lte: 9}];
      int32 least = 8 [(buf.validate.field).int32.gte = 0];
      repeated string tags = 9 [(buf.validate.field).repeated = {max_items: 2, unique: true, items: {string: {max_len: 1}}}];
      repeated string some = 10 [(buf.validate.field).repeated.min_items = 1];
      map<string, string> pairs = 11 [(buf.validate.field).map = {max_pairs: 1, keys: {string: {max_len: 2}}}];
      string no_code = 12 [(buf.validate.field).string.not_contains = "x"];
      repeated string events = 13 [(buf.validate.field).repeated.items.string = {in: ["created", "deleted"]}];
      map<string, int32> counts = 14 [(buf.validate.field).map.values.int32 = {in: [1, 2]}];
    }
  `,
}).message('test.v1.Thing');

const sound = { needed: 'x', text: 'ab', some: ['x'] };

function errorsOf(members: JsonObject) {
  try {
    createMessageCheck()(message, fromJson(message, { ...sound, ...members }));
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.errors;
  }
}
const problemsOf = (members: JsonObject) => errorsOf(members).map(({ path, code }) => `${path} ${code}`);

it('accepts a valid message', () => expect(problemsOf({})).toEqual([]));

it.each<[JsonObject, readonly string[]]>([
  [{ needed: null }, ['/needed REQUIRED']],
  [{ text: 'a' }, ['/text TOO_SHORT']],
  [{ text: 'abcd' }, ['/text TOO_LONG']],
  [{ kind: 'b' }, ['/kind UNKNOWN_VALUE']],
  [{ id: 'b' }, ['/id BAD_FORMAT']],
  [{ id: '' }, ['/id BAD_FORMAT']],
  [{ mail: 'b' }, ['/mail BAD_FORMAT']],
  [{ name: 'B' }, ['/name BAD_FORMAT']],
  [{ size: -1 }, ['/size OUT_OF_RANGE']],
  [{ size: 10 }, ['/size OUT_OF_RANGE']],
  [{ least: -1 }, ['/least OUT_OF_RANGE']],
  [{ tags: ['a', 'b', 'c'] }, ['/tags TOO_MANY']],
  [{ tags: ['a', 'a'] }, ['/tags DUPLICATE_ITEM']],
  [{ tags: ['ab'] }, ['/tags/0 TOO_LONG']],
  [{ some: [] }, ['/some TOO_FEW']],
  [{ pairs: { a: '', b: '' } }, ['/pairs TOO_MANY']],
  [{ pairs: { abc: '' } }, ['/pairs/abc TOO_LONG']],
  [{ noCode: 'x' }, ['/no_code INVALID']],
])('reports the problems of %j with our codes', (members, problems) => {
  expect(problemsOf(members)).toEqual(problems);
});

it.each<[JsonObject, string]>([
  [{ kind: 'b' }, 'must be one of a'],
  [{ events: ['created', 'Deletd'] }, 'must be one of created, deleted; did you mean "deleted"?'],
  [{ counts: { x: 3 } }, 'must be one of 1, 2'],
])('lists the allowed values for %j, and suggests the most similar one', (members, detail) => {
  expect(errorsOf(members).map((error) => error.detail)).toEqual([detail]);
});
