import { type AddressInfo, createServer } from 'node:net';
import { startTestDns, type TestDns, type TestRecords } from '@survey/runtime/testing/network/test-dns';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { parseRange } from './targets/address-rules.ts';
import { startTenant } from './testing/at-work.ts';
import { startTestService, surveyCreated, type TestService } from './testing/test-service.ts';

/** The only allowed address. All other addresses of this machine are forbidden. */
const ALLOWED = '127.0.0.2';

const notations = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0X7F.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.01',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '①②⑦.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  'localhost',
  'LocalHost.',
];
const otherForbidden = [
  '169.254.169.254',
  '[::ffff:a9fe:a9fe]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.20.10',
  '10.96.0.1',
  '192.168.0.1',
];
const names: Readonly<Record<string, TestRecords>> = {
  'private.test': ['127.0.0.1'],
  '127.0.0.1.nip.test': ['127.0.0.1'],
  'six.test': ['::1'],
  'mapped.test': ['::ffff:7f00:1'],
  'mixed.test': [ALLOWED, '127.0.0.1'],
  'mixed-six.test': [ALLOWED, '::1'],
  'many.test': [...Array<string>(15).fill(ALLOWED), '127.0.0.1'],
  'alias.test': ['inner.test', '127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'kubernetes.default.svc': ['10.96.0.1'],
};
const hosts = [...notations, ...otherForbidden, ...Object.keys(names)];

/** Listens at every address of this machine, and records the addresses that were connected to. */
async function listenEverywhere(reply = () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n') {
  const reached: string[] = [];
  const server = createServer((socket) => {
    reached.push((socket.localAddress ?? '').replace('::ffff:', ''));
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(reply()));
  });
  await new Promise<void>((resolve) => server.listen({ host: '::', port: 0 }, resolve));
  return {
    // A listening TCP server has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    reached,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

type Listener = Awaited<ReturnType<typeof listenEverywhere>>;
type Tenant = Awaited<ReturnType<typeof startTenant>>;

let dns: TestDns;
let service: TestService;
let listener: Listener;
let tenant: Tenant;

beforeAll(async () => {
  dns = await startTestDns([]);
  service = await startTestService({
    allowedRanges: [parseRange(`${ALLOWED}/32`)],
    dnsServers: [`127.0.0.1:${dns.port}`],
    retrySeconds: [],
  });
  listener = await listenEverywhere();
  tenant = await startTenant(service);
});

beforeEach(() => {
  dns.replyWith((name) => names[name] ?? (name.endsWith('good.test') ? [ALLOWED] : []));
  listener.reached.length = 0;
});

afterAll(async () => {
  await service.close();
  await Promise.all([tenant.close(), listener.close()]);
  dns.close();
});

const urlOf = (host: string) => `http://${host}:${listener.port}/hook`;

/** Changes the URL in the database, as if other rules or records had applied when it was saved. */
async function moveTo(webhookId: string, url: string): Promise<void> {
  const webhooks = service.db.collection<{ _id: string }>('webhooks');
  await webhooks.updateOne({ _id: webhookId }, { $set: { url }, $inc: { revision: 1 } });
}

/** Creates a webhook for each forbidden host, bypassing the check of the API. */
async function webhooksTo(by: Tenant): Promise<readonly { id: string }[]> {
  const made = [];
  for (const host of hosts) {
    const webhook = await by.createWebhook({ url: 'https://1.1.1.1/' });
    await moveTo(webhook.id, urlOf(host));
    made.push(webhook);
  }
  return made;
}

/** Tests a webhook until the error is reported. The first tests may use old records, as lookups are cached. */
const untilTestReports = (by: Tenant, webhookId: string, error: string) =>
  poll(
    async () => {
      const { body } = await by.call('POST', `webhooks/${webhookId}/test`);
      return body.attempts[0].error === error;
    },
    { intervalMs: 200 },
  );

describe('a webhook to a forbidden address', () => {
  it.each(hosts)('is rejected on creation and change, without a connection: %s', async (host) => {
    const rejected = { status: 422, body: { code: 'WEBHOOK_URL_REFUSED', errors: [{ path: '/url' }] } };
    const url = urlOf(host);
    expect(await tenant.call('POST', 'webhooks', { body: { url, event_types: ['*'] } })).toMatchObject(rejected);
    const { id } = await tenant.createWebhook({ url: 'https://1.1.1.1/', active: false });
    expect(await tenant.call('PATCH', `webhooks/${id}`, { body: { url } })).toMatchObject(rejected);
    expect((await tenant.call('GET', `webhooks/${id}`)).body.url).toBe('https://1.1.1.1/');
    await tenant.call('DELETE', `webhooks/${id}`);
    expect(listener.reached).toEqual([]);
  });

  it('is rejected with the same text, whether a server listens, none does, or the name does not exist', async () => {
    const urls = [urlOf('127.0.0.1'), 'http://127.0.0.1:1/', urlOf('private.test'), urlOf('nothing.test')];
    const replies = await Promise.all(
      urls.map((url) => tenant.call('POST', 'webhooks', { body: { url, event_types: ['*'] } })),
    );
    const [first] = replies.map(({ body }) => body.errors);
    for (const { status, body } of replies) expect([status, body.errors]).toEqual([422, first]);
  });

  it('is rejected when it is a part of the platform', async () => {
    const { host: database } = new URL(inject('mongodbUri').replace('mongodb:', 'http:'));
    const own = [database, ...inject('kafkaBrokers').split(','), `127.0.0.1:${service.ports.adminPort}`];
    for (const address of own) {
      const body = { url: `http://${address}/`, event_types: ['*'] };
      expect((await tenant.call('POST', 'webhooks', { body })).body.code).toBe('WEBHOOK_URL_REFUSED');
    }
  });

  it('gets no test: no connection is opened, and all attempts have the same error', async () => {
    const other = await startTenant(service);
    for (const { id } of await webhooksTo(other)) {
      const { status, body } = await other.call('POST', `webhooks/${id}/test`);
      expect([status, body.status, body.attempts.length]).toEqual([200, 'failed', 1]);
      expect(body.attempts[0].error).toBe('address_refused');
      expect(body.attempts[0]).not.toHaveProperty('status_code');
    }
    await other.close();
    expect(listener.reached).toEqual([]);
  });

  it('gets no delivery, even when it is sent again: no connection is opened, and each attempt is recorded', async () => {
    const other = await startTenant(service);
    const webhooks = await webhooksTo(other);
    await service.publisher.publish([surveyCreated(other.tenantId)]);
    for (const { id } of webhooks) {
      const [delivery] = await other.deliveriesTo(id, 1, 'failed');
      expect(delivery.attempts).toMatchObject([{ number: 1, error: 'address_refused' }]);
      expect((await other.call('POST', `webhook-deliveries/${delivery.id}/redeliver`)).status).toBe(202);
    }
    for (const { id } of webhooks) {
      const again = await poll(async () => {
        const [delivery] = (await other.call('GET', `webhooks/${id}/deliveries`)).body;
        return delivery.attempts.length === 2 ? delivery : undefined;
      });
      expect(again.attempts[1]).toMatchObject({ trigger: 'redeliver', error: 'address_refused' });
    }
    await other.close();
    expect(listener.reached).toEqual([]);
  });
});

describe('a name', () => {
  it('with allowed addresses only is connected to at one of them', async () => {
    const other = await startTenant(service);
    const { id } = await other.createWebhook({ url: urlOf('kept.good.test') });
    expect((await other.call('POST', `webhooks/${id}/test`)).body.status).toBe('delivered');
    await service.publisher.publish([surveyCreated(other.tenantId)]);
    expect(await other.deliveriesTo(id, 2)).toHaveLength(2);
    await other.close();
    expect(listener.reached).toEqual([ALLOWED, ALLOWED]);
  });

  it('whose address changes after the webhook was saved is not connected to', async () => {
    const other = await startTenant(service);
    const { id } = await other.createWebhook({ url: urlOf('changed.good.test') });
    dns.setAddresses(['127.0.0.1']);
    await untilTestReports(other, id, 'address_refused');
    expect(listener.reached.every((address) => address === ALLOWED)).toBe(true);
    listener.reached.length = 0;
    await service.publisher.publish([surveyCreated(other.tenantId)]);
    const delivery = await poll(async () => {
      const { body } = await other.call('GET', `webhooks/${id}/deliveries?event_type=survey.created`);
      return body[0]?.status === 'failed' ? body[0] : undefined;
    });
    expect(delivery.attempts).toMatchObject([{ error: 'address_refused' }]);
    await other.close();
    expect(listener.reached).toEqual([]);
  });

  it('that changes with each lookup is connected at the checked address, or not at all', async () => {
    const other = await startTenant(service);
    const { id } = await other.createWebhook({ url: urlOf('changing.good.test') });
    const seen = new Set<string>();
    let asked = 0;
    dns.replyWith(() => {
      asked += 1;
      return [asked % 3 === 0 ? '127.0.0.1' : ALLOWED];
    });
    const before = dns.questions();
    const outcomes: string[] = [];
    // A lookup is shared for a moment, so it may take some attempts until both records were used.
    for (let count = 1; new Set(outcomes).size < 2 && count <= 200; count += 1) {
      await service.publisher.publish([surveyCreated(other.tenantId)]);
      const newest = await poll(async () => {
        const { body } = await other.call('GET', `webhooks/${id}/deliveries?limit=1`);
        const isNew = (one: { id: string; attempts: unknown[] }) => one.attempts.length === 1 && !seen.has(one.id);
        return body.length === 1 && isNew(body[0]) ? body[0] : undefined;
      });
      seen.add(newest.id);
      outcomes.push(newest.attempts[0].error ?? newest.status);
    }
    expect(new Set(outcomes)).toEqual(new Set(['delivered', 'address_refused']));
    // At most one query for each family and attempt: the checked result is not looked up again to connect.
    expect(dns.questions() - before).toBeLessThanOrEqual(2 * outcomes.length);
    await other.close();
    expect(new Set(listener.reached)).toEqual(new Set([ALLOWED]));
  });

  it('that no longer resolves counts as a failure and is retried', async () => {
    const other = await startTenant(service);
    const { id } = await other.createWebhook({ url: urlOf('gone.good.test') });
    dns.setAddresses([]);
    await untilTestReports(other, id, 'dns_failed');
    await other.close();
    expect(listener.reached.every((address) => address === ALLOWED)).toBe(true);
  });
});

describe('a redirect', () => {
  it.each([
    [300, 'http://127.0.0.1:PORT/'],
    [301, 'http://127.0.0.1:PORT/'],
    [302, 'http://169.254.169.254/latest/meta-data/'],
    [303, '//127.0.0.1:PORT/'],
    [304, 'http://127.0.0.1:PORT/'],
    [307, 'http://good.test:PORT/again'],
    [308, 'file:///etc/passwd'],
  ])('of %s to %s is a failure and is not followed', async (status, location) => {
    const reply = () =>
      `HTTP/1.1 ${status} Elsewhere\r\nLocation: ${location.replace('PORT', String(redirecting.port))}\r\n` +
      'Content-Length: 0\r\nConnection: close\r\n\r\n';
    const redirecting = await listenEverywhere(reply);
    const other = await startTenant(service);
    const { id } = await other.createWebhook({ url: `http://good.test:${redirecting.port}/` });
    expect((await other.call('POST', `webhooks/${id}/test`)).body).toMatchObject({
      status: 'failed',
      attempts: [{ status_code: status }],
    });
    await service.publisher.publish([surveyCreated(other.tenantId)]);
    await other.deliveriesTo(id, 2, 'failed');
    expect(redirecting.reached).toEqual([ALLOWED, ALLOWED]);
    await Promise.all([other.close(), redirecting.close()]);
  });
});
