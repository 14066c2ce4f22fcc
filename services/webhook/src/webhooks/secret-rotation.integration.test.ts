import { createHmac, randomUUID } from 'node:crypto';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTenant } from '../testing/at-work.ts';
import { startTestService, surveyCreated, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type Tenant = Awaited<ReturnType<typeof startTenant>>;

/** Runs a test with a new tenant, and closes its receiver afterwards. */
async function withTenant(run: (tenant: Tenant) => Promise<void>) {
  const tenant = await startTenant(service);
  try {
    await run(tenant);
  } finally {
    await tenant.close();
  }
}

describe('a rotation of the secret', () => {
  const rotate = ({ call }: Tenant, id: string, body: object, headers: Record<string, string> = {}) =>
    call('POST', `webhooks/${id}/rotate-secret`, { body, headers });

  async function receivedBy({ tenantId, receiver }: Tenant) {
    const before = receiver.received.length;
    await service.publisher.publish([surveyCreated(tenantId)]);
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    const last = receiver.received.at(-1);
    if (last === undefined) throw new Error('nothing was received');
    // A header that occurs once is a string.
    return { body: last.body, headers: last.request.headers as Record<string, string> };
  }

  const isVerified = (secret: string, { body, headers }: Awaited<ReturnType<typeof receivedBy>>) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };

  it('also signs with the previous secret until the overlap ends, but not with older ones', () =>
    withTenant(async (tenant) => {
      const { id, secret: first } = await tenant.createWebhook();
      const rotated = await rotate(tenant, id, {});
      expect(rotated.status).toBe(200);
      const { secret: second, previous_secret_expires_at: expires } = rotated.body;
      expect(Math.round((Date.parse(expires) - Date.now()) / 3_600_000)).toBe(24);
      const shown = (await tenant.call('GET', `webhooks/${id}`)).body;
      expect(shown).toMatchObject({ previous_secret_expires_at: expires });
      expect(shown).not.toHaveProperty('secret');
      const both = await receivedBy(tenant);
      expect([first, second].map((secret) => isVerified(secret, both))).toEqual([true, true]);

      const third = (await rotate(tenant, id, { overlap_hours: 168, secret: `own ${randomUUID()}` })).body.secret;
      const next = await receivedBy(tenant);
      expect(isVerified(first, next)).toBe(false);
      expect(isVerified(second, next)).toBe(true);
      expect(next.headers['webhook-signature']?.split(' ')).toHaveLength(2);

      const webhooks = service.db.collection<{ _id: string }>('webhooks');
      const past = { $set: { 'previous_secret.expires_at': new Date(Date.now() - 1) }, $inc: { revision: 1 } };
      await webhooks.updateOne({ _id: id }, past);
      const alone = await receivedBy(tenant);
      expect(isVerified(second, alone)).toBe(false);
      expect(alone.headers['webhook-signature']?.split(' ')).toHaveLength(1);
      expect((await tenant.call('GET', `webhooks/${id}`)).body).not.toHaveProperty('previous_secret_expires_at');
      const stored = JSON.stringify(await webhooks.findOne({ _id: id }));
      for (const secret of [first, second, third]) expect(stored).not.toContain(secret);
      const audited = JSON.stringify(await readAuditEvents(tenant.tenantId, 3));
      expect(audited).toContain('webhook.secret_rotated');
      for (const secret of [first, second, third]) expect(audited).not.toContain(secret);
    }));

  it('without an overlap ends the previous secret immediately', () =>
    withTenant(async (tenant) => {
      const { id, secret: first } = await tenant.createWebhook();
      const { body } = await rotate(tenant, id, { overlap_hours: 0 });
      expect(body).not.toHaveProperty('previous_secret_expires_at');
      const received = await receivedBy(tenant);
      expect([isVerified(first, received), isVerified(body.secret, received)]).toEqual([false, true]);
    }));

  it('returns the same secret for the same Idempotency-Key, even if the first reply was lost', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook();
      const key = { 'idempotency-key': randomUUID() };
      const first = await rotate(tenant, id, {}, key);
      const again = await rotate(tenant, id, {}, key);
      expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
      const used = service.db.collection('idempotency_keys');
      await used.updateOne({ tenant_id: tenant.tenantId }, { $set: { answer: null } });
      await rotate(tenant, id, {});
      const late = await rotate(tenant, id, {}, key);
      expect(late.body.secret).toBe(first.body.secret);
      expect((await rotate(tenant, id, { overlap_hours: 1 }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    }));

  it.each([24, 256])('accepts a tenant’s own secret with %d characters', (length) =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook();
      const secret = 'éa1b2c3d'.repeat(32).slice(0, length);
      expect((await rotate(tenant, id, { secret })).body.secret).toBe(secret);
      const { body, headers } = await receivedBy(tenant);
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
    }),
  );

  it.each([
    ['an overlap of more than a week', { overlap_hours: 169 }, '/overlap_hours'],
    ['a negative overlap', { overlap_hours: -1 }, '/overlap_hours'],
    ['a secret of 23 characters', { secret: 'a'.repeat(23) }, '/secret'],
    ['a secret of 257 characters', { secret: 'a'.repeat(257) }, '/secret'],
    ['a secret that claims to be base64', { secret: `whsec_${'!'.repeat(24)}` }, '/secret'],
  ])('is rejected with %s', (_case, body, path) =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook();
      const rejected = await rotate(tenant, id, body);
      expect([rejected.status, rejected.body.errors[0].path]).toEqual([422, path]);
    }),
  );
});
