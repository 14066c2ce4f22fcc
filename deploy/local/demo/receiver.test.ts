import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPorts } from '../process/ports.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from './receiver.ts';

const SECRET = 'whsec_c2VjcmV0';

let claims: string;
let receiver: Receiver;

beforeEach(async () => {
  claims = await mkdtemp(join(tmpdir(), 'receiver-'));
  receiver = await startReceiver(await createPorts(claims).claim(18_090));
  receiver.setSecret(SECRET);
});

afterEach(async () => {
  await receiver.close();
  await rm(claims, { recursive: true });
});

const sign = (body: string) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
const send = (body: string, signature: string) =>
  fetch(receiver.url, { method: 'POST', headers: { 'X-Service-Signature': signature }, body });
// Only the receiver writes this JSON.
const shown = async () => (await (await fetch(receiver.url)).json()) as ReceivedWebhook[];

describe('receiver', () => {
  it('lists webhooks, newest first, with headers and the result of the signature check', async () => {
    await send('{"a":1}', sign('{"a":1}'));
    await send('{"b":2}', sign('{"another":"body"}'));
    expect(await shown()).toEqual([
      expect.objectContaining({ body: { b: 2 }, signature: 'invalid' }),
      expect.objectContaining({
        body: { a: 1 },
        signature: 'valid',
        headers: expect.objectContaining({ 'x-service-signature': sign('{"a":1}') }),
        received_at: expect.stringMatching(/^\d{4}-.*Z$/),
      }),
    ]);
  });

  it.each(['', 'sha256=', 'nonsense', `sha256=${'é'.repeat(32)}`])('rejects the signature %j', async (signature) => {
    await send('{}', encodeURI(signature));
    expect(await shown()).toEqual([expect.objectContaining({ signature: 'invalid' })]);
  });

  it('rejects a signature that is no ASCII text', async () => {
    await send('{}', `sha256=${'é'.repeat(64)}`);
    expect(await shown()).toEqual([expect.objectContaining({ signature: 'invalid' })]);
  });

  it('rejects a long body with 413', async () => {
    expect((await send('a'.repeat(8 * 1024 * 1024), '')).status).toBe(413);
    expect(await shown()).toEqual([]);
  });

  it('keeps the latest hundred', async () => {
    for (let number = 0; number < 102; number++) await send(String(number), '');
    const bodies = (await shown()).map(({ body }) => body);
    expect(bodies).toHaveLength(100);
    expect(bodies.at(0)).toBe(101);
    expect(bodies.at(-1)).toBe(2);
  });

  it('returns a body that is not JSON as text', async () => {
    await send('not json', '');
    expect(await shown()).toEqual([expect.objectContaining({ body: 'not json' })]);
  });
});
