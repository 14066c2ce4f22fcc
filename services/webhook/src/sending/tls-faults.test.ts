import { readFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAddressRules, parseRange } from '../targets/address-rules.ts';
import { createTargetCheck } from '../targets/target.ts';
import { createConnections } from './connections.ts';
import { createHttpSender } from './http-sender.ts';

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../testing/tls', `${name}.pem`), 'utf8');
const key = pem('leaf-key');
/** Certificate chain of the trusted authority, through an intermediate one. */
const whole = { key, cert: pem('leaf') + pem('intermediate') };

const usual = getCACertificates('default');
const closers: (() => unknown)[] = [];
beforeAll(() => setDefaultCACertificates([pem('root')]));
afterAll(() => setDefaultCACertificates(usual));
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Starts a receiver and posts to it. Returns the outcome and the number of requests that the receiver got. */
async function post(options: ServerOptions) {
  let messages = 0;
  const server = createServer(options, (_request, response) => {
    messages += 1;
    response.end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const isAllowed = createAddressRules({ allowed: [parseRange('127.0.0.0/8')], rejected: [] });
  const connections = createConnections({ perKey: 1, total: 1 });
  closers.push(
    () => connections.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  const send = createHttpSender({
    checkTarget: createTargetCheck({
      urlRules: { allowHttp: false, allowedPorts: 'any' },
      isAllowed,
      loadAddresses: async () => ['127.0.0.1'],
    }),
    isAllowed,
    connections,
    onConnection: () => undefined,
  });
  const message = {
    url: `https://receiver.test:${port}/`,
    headers: {},
    body: Buffer.from('{}'),
    webhookId: 'webhook-1',
  };
  const sent = send(message, AbortSignal.timeout(10_000));
  const outcome = await sent.then(
    ({ statusCode }) => statusCode,
    (error: unknown) => error,
  );
  return { outcome, messages };
}

describe('a receiver over TLS', () => {
  it('with a valid certificate chain gets the message', async () => {
    expect(await post(whole)).toEqual({ outcome: 200, messages: 1 });
  });

  it.each<[string, ServerOptions, object]>([
    ['whose certificate has expired', { key, cert: pem('expired') }, { message: 'tls_failed: CERT_HAS_EXPIRED' }],
    [
      'that leaves out the certificate between its own and the authority',
      { key, cert: pem('leaf') },
      { message: 'tls_failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    ],
    [
      'that supports TLS 1.1 at most',
      { ...whole, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      { failure: 'tls_failed' },
    ],
    [
      'that wants a client certificate during the handshake',
      { ...whole, requestCert: true, maxVersion: 'TLSv1.2' },
      { failure: 'tls_failed' },
    ],
    [
      'that wants a client certificate after the handshake',
      { ...whole, requestCert: true, minVersion: 'TLSv1.3' },
      { failure: 'connection_lost' },
    ],
    [
      'that has no cipher in common',
      { ...whole, maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' },
      { failure: 'tls_failed' },
    ],
  ])('%s gets nothing', async (_case, options, failure) => {
    const { outcome, messages } = await post(options);
    expect(outcome).toMatchObject(failure);
    expect(messages).toBe(0);
  });
});
