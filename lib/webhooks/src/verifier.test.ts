import { describe, expect, it } from 'vitest';
import testVectors from '../test-vectors.json' with { type: 'json' };
import { createVerifier, type Delivery, type VerifierOptions } from './verifier.ts';

const { vectors } = testVectors;
type Vector = (typeof vectors)[number];

const schemeOf = ({ scheme }: Vector) => (scheme === 'body' ? 'body' : 'standard');
const optionsOf = (vector: Vector): VerifierOptions => ({
  secret: vector.secret,
  scheme: schemeOf(vector),
  now: () => vector.now * 1000,
});
const deliveryOf = ({ headers, body }: Vector): Delivery => ({ headers: headers as Record<string, string>, body });
const genuine = vectors.filter((vector) => vector.genuine);
const [first] = genuine;
if (first === undefined) throw new Error('no vectors');
const otherSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

describe('a verifier', () => {
  it.each(genuine)('with the scheme $scheme accepts $title', async (vector) => {
    const event = await createVerifier(optionsOf(vector))(deliveryOf(vector));
    expect(event).toEqual(JSON.parse(vector.body));
  });

  it.each(vectors.filter((vector) => !vector.genuine))('with the scheme $scheme rejects $title', async (vector) => {
    await expect(createVerifier(optionsOf(vector))(deliveryOf(vector))).rejects.toMatchObject({
      name: 'VerificationError',
      code: vector.error,
    });
  });

  it.each([
    ['Headers', new Headers(first.headers as Record<string, string>)],
    ['names in capitals', mapNames((name) => name.toUpperCase())],
    ['lists of values', Object.fromEntries(Object.entries(first.headers).map(([name, value]) => [name, [value]]))],
  ])('reads %s', async (_form, headers) => {
    await expect(createVerifier(optionsOf(first))({ headers, body: first.body })).resolves.toBeDefined();
  });

  it('reads bytes', async () => {
    const body = new TextEncoder().encode(first.body);
    const event = await createVerifier(optionsOf(first))({ ...deliveryOf(first), body });
    expect(event.event).toBe('survey.published');
  });

  it.each(genuine)('with two secrets and the scheme $scheme accepts $title', async (vector) => {
    for (const secret of [
      [otherSecret, vector.secret],
      [vector.secret, otherSecret],
    ])
      await expect(createVerifier({ ...optionsOf(vector), secret })(deliveryOf(vector))).resolves.toBeDefined();
  });

  it('rejects a request that neither of two secrets signed', async () => {
    const verify = createVerifier({ ...optionsOf(first), secret: [otherSecret, 'another secret'] });
    await expect(verify(deliveryOf(first))).rejects.toMatchObject({ code: 'WRONG_SIGNATURE' });
  });

  it('accepts the configured tolerance and prefix', async () => {
    const now = () => (first.now + 900) * 1000;
    await expect(
      createVerifier({ ...optionsOf(first), now, toleranceSeconds: 900 })(deliveryOf(first)),
    ).resolves.toBeDefined();
    await expect(
      createVerifier({ ...optionsOf(first), now, toleranceSeconds: 899 })(deliveryOf(first)),
    ).rejects.toMatchObject({ code: 'TIMESTAMP_OUT_OF_TOLERANCE' });
    const [own] = genuine.filter(({ scheme }) => scheme === 'body');
    if (own === undefined) throw new Error('no vector');
    const headers = { 'X-Acme-Signature': own.headers['x-service-signature'] };
    const verify = createVerifier({ ...optionsOf(own), headerPrefix: 'X-Acme' });
    await expect(verify({ headers, body: own.body })).resolves.toBeDefined();
  });

  it('reads ten signatures at most', async () => {
    const signature = `${'v1,AAAA '.repeat(10)}${first.headers['webhook-signature']}`;
    const headers = { ...(first.headers as Record<string, string>), 'webhook-signature': signature };
    await expect(createVerifier(optionsOf(first))({ headers, body: first.body })).rejects.toMatchObject({
      code: 'WRONG_SIGNATURE',
    });
  });

  it.each(['hello', '[]', 'null', '{"event":1}', '"\u0000'])('rejects the signed body %s', async (body) => {
    const key = await crypto.subtle.importKey('raw', Buffer.from('secret'), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(body))).toString('hex');
    const headers = { 'x-service-signature': `sha256=${signature}` };
    await expect(createVerifier({ secret: 'secret', scheme: 'body' })({ headers, body })).rejects.toMatchObject({
      code: 'INVALID_BODY',
    });
  });

  it.each([[''], [[]], ['whsec_'], ['whsec_!'], ['whsec_QQ']])('is not created with the secret %j', (secret) => {
    expect(() => createVerifier({ secret })).toThrow(TypeError);
  });
});

function mapNames(rename: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(first?.headers ?? {}).map(([name, value]) => [rename(name), value]));
}
