import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Binary } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { DecryptionError } from './decryption-error.ts';
import { createTenantCipher, type EncryptedRecord } from './tenant-cipher.ts';

const newKey = () => createSecretKey(randomBytes(32));
const keys = new Map([
  [1, newKey()],
  [2, newKey()],
]);

/** Everything that a record is bound to. */
interface Place {
  readonly tenant: string;
  readonly survey: string;
  readonly response: string;
  readonly field: string;
}

const places = fc.record<Place>({
  tenant: fc.string(),
  survey: fc.string(),
  response: fc.string(),
  field: fc.string(),
});
const contents = fc.uint8Array({ maxLength: 300 });
const partsOf = ({ survey, response, field }: Place) => [survey, response, field];
const cipherOf = (place: Place, own: typeof keys = keys) => createTenantCipher(toTenantId(place.tenant), own);
const seal = (place: Place, content: Uint8Array) => cipherOf(place).seal(partsOf(place), content);
const open = (place: Place, record: EncryptedRecord) => cipherOf(place).open(partsOf(place), record);

/** One bit of some bytes flipped. */
function flip(bytes: Binary, bit: number): Binary {
  const copy = Buffer.from(bytes.value());
  const at = (bit >> 3) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
  return new Binary(copy);
}

describe('a record', () => {
  it('opens where it was sealed, whatever it holds', () => {
    fc.assert(
      fc.property(places, contents, (place, content) => {
        expect(new Uint8Array(open(place, seal(place, content)))).toEqual(content);
      }),
    );
  });

  it('does not open with any bit of its IV, content or tag flipped', () => {
    const parts = fc.constantFrom('iv', 'ct', 'tag');
    const some = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(places, some, parts, fc.nat(4_000), (place, content, part, bit) => {
        const record = seal(place, content);
        expect(() => open(place, { ...record, [part]: flip(record[part], bit) })).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open with a part that is longer or shorter', () => {
    const parts = fc.constantFrom('iv', 'ct', 'tag');
    fc.assert(
      fc.property(places, contents, parts, fc.uint8Array(), (place, content, part, bytes) => {
        const record = seal(place, content);
        fc.pre(bytes.length !== record[part].length());
        expect(() => open(place, { ...record, [part]: new Binary(bytes) })).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open under another format or version of the key', () => {
    fc.assert(
      fc.property(places, contents, fc.integer(), (place, content, number) => {
        const record = seal(place, content);
        // Values that no type lets through come from the database.
        if (number !== 1) expect(() => open(place, { ...record, v: number as 1 })).toThrow(DecryptionError);
        if (number !== record.kv) expect(() => open(place, { ...record, kv: number })).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open with one part of another record', () => {
    const parts = fc.constantFrom('kv', 'iv', 'ct', 'tag');
    fc.assert(
      fc.property(places, contents, contents, parts, (place, content, another, part) => {
        const [record, donor] = [
          seal(place, content),
          cipherOf(place, new Map([...keys].slice(0, 1))).seal([], another),
        ];
        fc.pre(part !== 'ct' || Buffer.compare(record.ct.value(), donor.ct.value()) !== 0);
        expect(() => open(place, { ...record, [part]: donor[part] })).toThrow(DecryptionError);
      }),
    );
  });

  it.each(['tenant', 'survey', 'response', 'field'] as const)('does not open for another %s', (part) => {
    fc.assert(
      fc.property(places, contents, fc.string(), (place, content, elsewhere) => {
        fc.pre(elsewhere !== place[part]);
        expect(() => open({ ...place, [part]: elsewhere }, seal(place, content))).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open where the same letters are cut into other parts', () => {
    fc.assert(
      fc.property(places, contents, (place, content) => {
        const joined = [partsOf(place).join(''), partsOf(place).join(','), JSON.stringify(partsOf(place)).slice(2, -2)];
        for (const part of joined) {
          expect(() => cipherOf(place).open([part], seal(place, content))).toThrow(DecryptionError);
        }
      }),
    );
  });

  it('does not open with another key', () => {
    const strangers = new Map([[2, newKey()]]);
    fc.assert(
      fc.property(places, contents, (place, content) => {
        expect(() => cipherOf(place, strangers).open(partsOf(place), seal(place, content))).toThrow(DecryptionError);
      }),
    );
  });
});
