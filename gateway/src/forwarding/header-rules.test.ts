import { describe, expect, it } from 'vitest';
import { cleanRequestHeaders, cleanResponseHeaders } from './header-rules.ts';

describe('cleanRequestHeaders', () => {
  it('removes headers that Connection lists', () => {
    const headers = { connection: 'Keep-Alive , X-Private', 'x-private': '1', accept: '*/*' };
    expect(cleanRequestHeaders(headers)).toEqual({ accept: '*/*' });
  });

  it('keeps the length of the body even if Connection lists it', () => {
    const headers = { connection: 'content-length, transfer-encoding, host', 'content-length': '5', host: 'a' };
    expect(cleanRequestHeaders(headers)).toEqual({ 'content-length': '5', host: 'a' });
  });
});

describe.each([
  ['a request', cleanRequestHeaders],
  ['a reply', cleanResponseHeaders],
])('in the headers of %s', (_case, clean) => {
  it.each([
    ...['connection', 'keep-alive', 'te', 'trailer', 'upgrade'],
    ...['proxy-authorization', 'proxy-authenticate', 'proxy-connection', 'proxy-status'],
    ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-user'],
    ...['x-tenant-id', 'x-user-id', 'x-internal-role', 'x-survey-tenant', 'x-survey-client-address'],
    ...['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-request-method'],
  ])('%s is removed', (name) => {
    expect(clean({ [name]: 'x', etag: '"1"' })).toEqual({ etag: '"1"' });
  });

  it.each(['x-surveyor', 'my-proxy-name', 'idempotency-key', 'link-token'])('%s is kept', (name) => {
    expect(clean({ [name]: 'x' })).toEqual({ [name]: 'x' });
  });
});

describe('cleanResponseHeaders', () => {
  it('removes internal headers', () => {
    const headers = {
      connection: 'keep-alive, x-private',
      'keep-alive': 'timeout=65',
      'proxy-authenticate': 'Basic',
      'x-private': '1',
      'x-survey-tenant': 'tenant-1',
      'x-request-id': '1',
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      location: '/v1/surveys/1',
    };
    expect(cleanResponseHeaders(headers)).toEqual({
      'content-type': 'application/json',
      location: '/v1/surveys/1',
    });
  });
});
