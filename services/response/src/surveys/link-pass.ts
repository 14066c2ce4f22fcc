import { timingSafeEqual } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { TenantCipher } from '@survey/runtime/crypto/tenant-cipher';

export interface PasswordLink {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly passwordHash: string;
}

interface Dependencies {
  readonly cipherOf: (tenantId: TenantId) => Promise<Pick<TenantCipher, 'stableHash'>>;
  readonly clock: () => Date;
}

const PURPOSE = 'link-pass';
const VALID_SECONDS = 24 * 60 * 60;
const PASS = /^([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;

export type LinkPasses = ReturnType<typeof createLinkPasses>;

/** A pass replaces the password of a link after the first visit, because checking a password is expensive. */
export function createLinkPasses({ cipherOf, clock }: Dependencies) {
  const seconds = () => Math.floor(clock().getTime() / 1_000);

  async function macOf({ id, tenantId, passwordHash }: PasswordLink, end: string): Promise<Buffer> {
    const content = Buffer.from(JSON.stringify([id, passwordHash, end]));
    const mac = (await cipherOf(tenantId)).stableHash(PURPOSE, content);
    return Buffer.from(Buffer.from(mac).toString('base64url'));
  }

  return {
    /** Returns `<expiry>.<mac>`: the end of the pass in Unix seconds, and 43 characters of base64url. */
    async issue(link: PasswordLink): Promise<string> {
      const end = String(seconds() + VALID_SECONDS);
      return `${end}.${await macOf(link, end)}`;
    },

    /** Whether the text is a valid pass for this link and password. Compares in constant time. */
    async isValid(link: PasswordLink, text: string): Promise<boolean> {
      const [, end, mac] = PASS.exec(text) ?? [];
      if (end === undefined || mac === undefined || Number(end) <= seconds()) return false;
      // Compare texts, because several base64url texts decode to the same bytes.
      return timingSafeEqual(Buffer.from(mac), await macOf(link, end));
    },
  };
}
