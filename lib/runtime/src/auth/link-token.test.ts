import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { invitationIdOf, isLinkToken, LINK_TOKEN_KEY_BYTES, toLinkTokens } from './link-token.ts';

const key = randomBytes(LINK_TOKEN_KEY_BYTES);
const [token = ''] = toLinkTokens(key, 'batch', 1);

describe('tokens of a single-use link', () => {
  it('are valid only for the key of their link', () => {
    expect(isLinkToken(key, token)).toBe(true);
    expect(isLinkToken(randomBytes(LINK_TOKEN_KEY_BYTES), token)).toBe(false);
  });

  it('are all different, and repeat for the same batch', () => {
    const tokens = toLinkTokens(key, 'batch', 1_000);
    expect(new Set([...tokens, ...toLinkTokens(key, 'other', 1_000)]).size).toBe(2_000);
    expect(toLinkTokens(key, 'batch', 1_000)).toEqual(tokens);
    expect(tokens.every((made) => isLinkToken(key, made))).toBe(true);
  });

  it('have the id of their invitation, which reveals nothing of the MAC', () => {
    const ids = toLinkTokens(key, 'batch', 1_000).map(invitationIdOf);
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    const [random = ''] = token.split('.');
    expect(invitationIdOf(`${random}.another`)).toBe(invitationIdOf(token));
  });

  it('fit into a URL without escaping', () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}$/);
  });

  it('are rejected if a character differs', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(isLinkToken(key, other)).toBe(false);
    }
  });

  it('are rejected in another spelling of the same bytes', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const [random = '', mac = ''] = token.split('.');
    const respelled = (text: string) => {
      const last = alphabet.indexOf(text.slice(-1));
      return text.slice(0, -1) + alphabet.charAt(last ^ 1);
    };
    expect(Buffer.from(respelled(random), 'base64url')).toEqual(Buffer.from(random, 'base64url'));
    expect(isLinkToken(key, `${respelled(random)}.${mac}`)).toBe(false);
    expect(isLinkToken(key, `${random}.${respelled(mac)}`)).toBe(false);
  });

  it.each(['', '.', 'a.b', `${token} `, `${token}\n`, `${token}.`, token.replace('.', ''), `${token}A`])(
    'are not %j',
    (text) => {
      expect(isLinkToken(key, text)).toBe(false);
    },
  );
});
