import { createSecretKey, randomBytes } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTenantCipher, type TenantCipher } from '@survey/runtime/crypto/tenant-cipher';
import { describe, expect, it } from 'vitest';
import { createLinkPasses, type PasswordLink } from './link-pass.ts';

const DAY_MS = 24 * 60 * 60_000;
const dataKeys = [1, 2].map((version) => [version, createSecretKey(randomBytes(32))] as const);
const link: PasswordLink = { id: 'l', tenantId: toTenantId('t'), passwordHash: 'h' };

/** Passes of a process with the first `versions` data keys of each tenant, and a manual clock. */
function startProcess(versions = 1) {
  let time = Date.parse('2030-01-01T00:00:00.500Z');
  const keys = new Map(dataKeys.slice(0, versions));
  const cipherOf = async (tenantId: PasswordLink['tenantId']): Promise<TenantCipher> =>
    createTenantCipher(tenantId, keys);
  const passes = createLinkPasses({ cipherOf, clock: () => new Date(time) });
  return {
    ...passes,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('a pass', () => {
  it('is valid for a day, even in another process and after a key rotation', async () => {
    const pass = await startProcess().issue(link);
    const other = startProcess(2);
    expect(await other.isValid(link, pass)).toBe(true);
    other.pass(DAY_MS - 1_000);
    expect(await other.isValid(link, pass)).toBe(true);
    other.pass(1_000);
    expect(await other.isValid(link, pass)).toBe(false);
  });

  it.each([
    ['another link', { id: 'other' }],
    ['another tenant', { tenantId: toTenantId('other') }],
    ['another password', { passwordHash: 'other' }],
  ])('is not valid for %s', async (_case, change) => {
    const { issue, isValid } = startProcess();
    expect(await isValid({ ...link, ...change }, await issue(link))).toBe(false);
  });

  it('cannot be modified', async () => {
    const { issue, isValid } = startProcess();
    const pass = await issue(link);
    const [end = '', mac = ''] = pass.split('.');
    for (const text of [
      '',
      'x',
      end,
      `.${mac}`,
      `${Number(end) + 1}.${mac}`,
      `0${end}.${mac}`,
      `${end}.${mac}=`,
      `${end}.${mac.slice(1)}`,
      `${end}.${'A'.repeat(43)}`,
      ` ${pass}`,
      `${end}.${mac.slice(0, -1)}${mac.endsWith('A') ? 'B' : 'A'}`,
    ])
      expect([text, await isValid(link, text)]).toEqual([text, false]);
    expect(await isValid(link, pass)).toBe(true);
  });
});
