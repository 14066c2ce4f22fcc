import { timingSafeEqual } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { TenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import type { ResponseFields } from '../responses/response.ts';

type ResponseIdentity = Pick<ResponseFields, 'tenantId' | 'id'>;

/** Tokens with which respondents continue a response. They are derived from the response's id, and not stored. */
export interface ResumeTokens {
  /** 43 characters of base64url. */
  issue(response: ResponseIdentity): Promise<string>;
  /** Whether the text is the token of this response. Compares in constant time. */
  isToken(response: ResponseIdentity, text: string): Promise<boolean>;
}

interface Dependencies {
  readonly cipherOf: (tenantId: TenantId) => Promise<Pick<TenantCipher, 'stableHash'>>;
}

const PURPOSE = 'resume-token';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function createResumeTokens({ cipherOf }: Dependencies): ResumeTokens {
  async function issue({ tenantId, id }: ResponseIdentity): Promise<string> {
    const mac = (await cipherOf(tenantId)).stableHash(PURPOSE, Buffer.from(id));
    return Buffer.from(mac).toString('base64url');
  }

  return {
    issue,
    // Compare text, not bytes: several base64url texts decode to the same bytes.
    isToken: async (response, text) =>
      TOKEN.test(text) && timingSafeEqual(Buffer.from(text), Buffer.from(await issue(response))),
  };
}
