import testVectors from '@survey/webhooks/test-vectors.json' with { type: 'json' };
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from './signature.ts';

const first = {
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] as const,
  deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: new Date(1_614_265_330_000),
};
const bytes = Buffer.from('ff00', 'hex');
const secretOf = (key: Buffer) => `whsec_${key.toString('base64')}`;

describe('the Standard Webhooks signature', () => {
  it.each([
    [first, '{"test": 2432232314}', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    [
      {
        secrets: ['whsec_plJ3nmyCDGBKInavdOK15jsl'] as const,
        deliveryId: 'msg_loFOjxBNrRLzqYUf',
        time: new Date(1_731_705_121_999),
      },
      '{"event_type":"ping","data":{"success":true}}',
      'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    ],
    [first, '', 'v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A='],
    [first, '{"name":"Zoë 😀 日本語"}', 'v1,OSMb5r6Y9hOXr9noaL0cLH1fOsgXTE68IXRyG2h1YVo='],
    [first, '{"name":"Zo\\u00eb"}', 'v1,STpdqv6Tj8bR9Q2hKTMz3nqIeQnZfNjnPaEUJiwfUKI='],
    [first, '{"a":1}\n', 'v1,gHpkzUwAcTCAx6mVTdVP1Xcvw5OF91BO8CGnDfdstVo='],
    [
      { ...first, secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='] as const },
      '{"test": 2432232314}',
      'v1,O4Gjv1HqPqsMrjmczoggs/sWA8gZD0VyHG+fLh4+ktI=',
    ],
    [
      { ...first, secrets: [secretOf(Buffer.from(Array.from({ length: 64 }, (_, index) => 255 - index)))] as const },
      '{"test": 2432232314}',
      'v1,W1ii68kLynfAoav0UlTrIO+lTT1zTkDmOLFsgDKwzJ8=',
    ],
  ])('equals the published vectors (%#)', (message, payload, signature) => {
    const headers = signatureHeaders('X-Service', { ...message, body: Buffer.from(payload) });
    expect(headers['webhook-signature']).toBe(signature);
    expect(headers['webhook-id']).toBe(message.deliveryId);
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(message.time.getTime() / 1000)));
  });

  it('is over the bytes, whatever they are', () => {
    const body = Buffer.from('fffe0041', 'hex');
    expect(signatureHeaders('X-Service', { ...first, body })['webhook-signature']).toBe(
      'v1,+PdgtxZT7PPz4sjFgSwkeTXvkSNvnT3uaAnXxy08TGg=',
    );
  });

  it('is verified by the library for receivers, with a generated secret and with a tenant’s own', () => {
    const message = { deliveryId: 'd', time: new Date(), body: Buffer.from('{"a":1}') };
    const ours = signatureHeaders('X-Service', { ...message, secrets: [secretOf(bytes)] });
    expect(new Webhook(secretOf(bytes)).verify('{"a":1}', ours)).toEqual({ a: 1 });
    const secret = 'a secret of the tenant, ë';
    const own = signatureHeaders('X-Service', { ...message, secrets: [secret] });
    expect(new Webhook(Buffer.from(secret), { format: 'raw' }).verify('{"a":1}', own)).toEqual({ a: 1 });
  });
});

describe('the signatures during a rotation', () => {
  const message = { deliveryId: 'd', time: new Date(), body: Buffer.from('{"a":1}') };
  const [newest, previous] = [secretOf(Buffer.alloc(32, 1)), secretOf(Buffer.alloc(32, 2))];
  const headers = signatureHeaders('X-Service', { ...message, secrets: [newest, previous] });

  it.each([
    ['newest', newest],
    ['previous', previous],
  ])('are verified by the library with the %s secret', (_case, secret) => {
    expect(new Webhook(secret).verify('{"a":1}', headers)).toEqual({ a: 1 });
  });

  it('are sorted newest first; the signature of the platform uses only the newest secret', () => {
    const alone = signatureHeaders('X-Service', { ...message, secrets: [newest] });
    expect(headers['webhook-signature']?.split(' ')[0]).toBe(alone['webhook-signature']);
    expect(headers['X-Service-Signature']).toBe(alone['X-Service-Signature']);
  });

  it('do not include older secrets', () => {
    expect(() => new Webhook(secretOf(Buffer.alloc(32, 3))).verify('{"a":1}', headers)).toThrow('signature');
  });
});

describe('the signature of the platform', () => {
  it('uses the secret as shown', () => {
    const message = { deliveryId: 'd', time: new Date(), body: Buffer.from('Hello, World!') };
    const headers = signatureHeaders('X-Service', { ...message, secrets: ["It's a Secret to Everybody"] });
    expect(headers['X-Service-Signature']).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
    expect(headers['X-Service-Delivery']).toBe('d');
  });

  it('has the configured prefix', () => {
    const headers = signatureHeaders('X-Acme', { ...first, body: bytes });
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Acme-Signature', 'X-Acme-Delivery']));
  });
});

describe('the test vectors of @survey/webhooks', () => {
  const signed = testVectors.vectors.filter(({ genuine, title }) => genuine && !/rotation|versions/.test(title));

  it.each(signed)('have the signature of the platform with the scheme $scheme: $title', (vector) => {
    const { delivery_id: deliveryId } = JSON.parse(vector.body);
    const time = new Date(Number(vector.headers['webhook-timestamp'] ?? vector.now) * 1000);
    const headers = signatureHeaders('X-Service', {
      ...{ deliveryId, time, secrets: [vector.secret] },
      body: Buffer.from(vector.body),
    });
    const byName = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(byName).toMatchObject(vector.headers);
  });
});
