import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/parse-json.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { messageFromJson } from './json-input.ts';
import { messageToJson } from './json-output.ts';

/** One field of each supported kind. */
const schema = compileContract({
  'test.v1': `
    message Kinds {
      string text = 1;
      optional string maybe_text = 2;
      repeated string texts = 3;
      map<string, string> text_by_name = 4;
      bool flag = 5;
      optional bool maybe_flag = 6;
      repeated bool flags = 7;
      int32 whole = 8;
      optional int32 maybe_whole = 9;
      repeated int32 wholes = 10;
      uint32 natural = 11;
      map<string, uint32> natural_by_name = 12;
      double real = 13;
      optional double maybe_real = 14;
      repeated double reals = 15;
      google.protobuf.Timestamp moment = 16;
      repeated google.protobuf.Timestamp moments = 17;
      map<string, google.protobuf.Timestamp> moment_by_name = 18;
      google.protobuf.Struct object = 19;
      repeated google.protobuf.Struct objects = 20;
      google.protobuf.Value any = 21;
      Kinds inner = 22;
      repeated Kinds inners = 23;
      map<string, Kinds> inner_by_name = 24;
    }
  `,
}).message('test.v1.Kinds');

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\0', '\n', '/', '~', '\u2028'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
});
const name = text.filter((value) => value !== '__proto__');
const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const natural = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const real = fc
  .double({ noNaN: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  .map((value) => (value === 0 ? 0 : value)); // JSON writes no minus before zero
const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    real,
    text,
    fc.array(tie('json'), { maxLength: 3 }),
    byName(tie('json')),
  ),
}));
const object = byName(json);

function byName<T>(value: fc.Arbitrary<T>) {
  return fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });
}

/** JSON of the message as it is written, with defaults. */
const { kinds } = fc.letrec<{ kinds: unknown }>((tie) => {
  const always = {
    text,
    texts: fc.array(text),
    text_by_name: byName(text),
    flag: fc.boolean(),
    flags: fc.array(fc.boolean()),
    whole,
    wholes: fc.array(whole),
    natural,
    natural_by_name: byName(natural),
    real,
    reals: fc.array(real),
    moments: fc.array(moment, { maxLength: 3 }),
    moment_by_name: byName(moment),
    objects: fc.array(object, { maxLength: 2 }),
    inners: fc.array(tie('kinds'), { maxLength: 1 }),
    inner_by_name: fc.dictionary(name, tie('kinds'), { maxKeys: 1, noNullPrototype: true }),
  };
  const maybe = { maybe_text: text, maybe_flag: fc.boolean(), maybe_whole: whole, maybe_real: real, moment, object };
  const any = json.filter((value) => value !== null);
  const keys = Object.keys(always) as (keyof typeof always)[];
  const leaf = fc.record(
    { ...always, ...maybe, any, inners: fc.constant([]), inner_by_name: fc.constant({}) },
    { requiredKeys: keys },
  );
  const node = fc.record({ ...always, ...maybe, any, inner: tie('kinds') }, { requiredKeys: keys });
  return { kinds: fc.oneof({ maxDepth: 2, withCrossShrink: true }, leaf, node) };
});

describe('JSON, a message, and JSON again', () => {
  it('is unchanged, with fields of every kind', () => {
    fc.assert(
      fc.property(kinds, (value) => {
        const sent = parseJson(JSON.stringify(value));
        const written = messageToJson(schema, messageFromJson(schema, sent));
        expect(written).toEqual(sent);
        // The output must be valid input.
        expect(parseJson(JSON.stringify(written))).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  it('has all defaults for an empty object', () => {
    expect(messageToJson(schema, messageFromJson(schema, {}))).toEqual({
      ...{ text: '', flag: false, whole: 0, natural: 0, real: 0 },
      ...{ texts: [], flags: [], wholes: [], reals: [], moments: [], objects: [], inners: [] },
      ...{ text_by_name: {}, natural_by_name: {}, moment_by_name: {}, inner_by_name: {} },
    });
  });

  it('rejects null, or treats it as absent', () => {
    const nothing = Object.fromEntries(schema.fields.map((field) => [field.name, null]));
    expect(messageFromJson(schema, nothing)).toEqual(messageFromJson(schema, {}));
  });
});
