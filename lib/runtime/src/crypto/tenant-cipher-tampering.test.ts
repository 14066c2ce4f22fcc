import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Binary } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { DecryptionError } from './aes-gcm.ts';
import { createTenantCipher, type EncryptedRecord } from './tenant-cipher.ts';

const newKey = () => createSecretKey(randomBytes(32));
const keys = new Map([
  [1, newKey()],
  [2, newKey()],
]);

/** The values that a record is bound to. */
interface Binding {
  readonly tenant: string;
  readonly survey: string;
  readonly response: string;
  readonly field: string;
}

const bindings = fc.record<Binding>({
  tenant: fc.string(),
  survey: fc.string(),
  response: fc.string(),
  field: fc.string(),
});
const contents = fc.uint8Array({ maxLength: 300 });
const partsOf = ({ survey, response, field }: Binding) => [survey, response, field];
const cipherOf = (binding: Binding, own: typeof keys = keys) => createTenantCipher(toTenantId(binding.tenant), own);
const seal = (binding: Binding, content: Uint8Array) => cipherOf(binding).seal(partsOf(binding), content);
const open = (binding: Binding, record: EncryptedRecord) => cipherOf(binding).open(partsOf(binding), record);

function flip(bytes: Binary, bit: number): Binary {
  const copy = Buffer.from(bytes.value());
  const at = (bit >> 3) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
  return new Binary(copy);
}

describe('a record', () => {
  it('opens with the binding and content that it was sealed with', () => {
    fc.assert(
      fc.property(bindings, contents, (binding, content) => {
        expect(new Uint8Array(open(binding, seal(binding, content)))).toEqual(content);
      }),
    );
  });

  it('does not open with any bit of its IV, content or tag flipped', () => {
    const parts = fc.constantFrom('iv', 'ct', 'tag');
    const some = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(bindings, some, parts, fc.nat(4_000), (binding, content, part, bit) => {
        const record = seal(binding, content);
        expect(() => open(binding, { ...record, [part]: flip(record[part], bit) })).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open if a part is longer or shorter', () => {
    const parts = fc.constantFrom('iv', 'ct', 'tag');
    fc.assert(
      fc.property(bindings, contents, parts, fc.uint8Array(), (binding, content, part, bytes) => {
        const record = seal(binding, content);
        fc.pre(bytes.length !== record[part].length());
        expect(() => open(binding, { ...record, [part]: new Binary(bytes) })).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open under another format or version of the key', () => {
    fc.assert(
      fc.property(bindings, contents, fc.integer(), (binding, content, number) => {
        const record = seal(binding, content);
        // The types forbid such values, but the database may contain them.
        if (number !== 1) expect(() => open(binding, { ...record, v: number as 1 })).toThrow(DecryptionError);
        if (number !== record.kv) expect(() => open(binding, { ...record, kv: number })).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open with one part of another record', () => {
    const parts = fc.constantFrom('kv', 'iv', 'ct', 'tag');
    fc.assert(
      fc.property(bindings, contents, contents, parts, (binding, content, another, part) => {
        const [record, donor] = [
          seal(binding, content),
          cipherOf(binding, new Map([...keys].slice(0, 1))).seal([], another),
        ];
        fc.pre(part !== 'ct' || Buffer.compare(record.ct.value(), donor.ct.value()) !== 0);
        expect(() => open(binding, { ...record, [part]: donor[part] })).toThrow(DecryptionError);
      }),
    );
  });

  it.each(['tenant', 'survey', 'response', 'field'] as const)('does not open for another %s', (part) => {
    fc.assert(
      fc.property(bindings, contents, fc.string(), (binding, content, elsewhere) => {
        fc.pre(elsewhere !== binding[part]);
        expect(() => open({ ...binding, [part]: elsewhere }, seal(binding, content))).toThrow(DecryptionError);
      }),
    );
  });

  it('does not open if the same characters are split differently', () => {
    fc.assert(
      fc.property(bindings, contents, (binding, content) => {
        const joined = [
          partsOf(binding).join(''),
          partsOf(binding).join(','),
          JSON.stringify(partsOf(binding)).slice(2, -2),
        ];
        for (const part of joined) {
          expect(() => cipherOf(binding).open([part], seal(binding, content))).toThrow(DecryptionError);
        }
      }),
    );
  });

  it('does not open with another key', () => {
    const strangers = new Map([[2, newKey()]]);
    fc.assert(
      fc.property(bindings, contents, (binding, content) => {
        expect(() => cipherOf(binding, strangers).open(partsOf(binding), seal(binding, content))).toThrow(
          DecryptionError,
        );
      }),
    );
  });
});
