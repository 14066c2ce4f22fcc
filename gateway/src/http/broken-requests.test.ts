import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHttpListener } from '@survey/runtime/service/http-listener';
import { afterEach, expect, it } from 'vitest';
import { handleBrokenRequests } from './broken-requests.ts';
import { toSecurityHeaders } from './security-headers.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

it.each([
  ['headers', 'POST / HTTP/1.1\r\nHost: a\r\n', 'X-A: 1\r\n'],
  ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n', 'x'],
])('a client whose %s do not arrive in time gets an error', async (_case, begin, more) => {
  const { server, listen, close } = createHttpListener((request) => void request.resume());
  Object.assign(server, { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 });
  handleBrokenRequests(server, toSecurityHeaders(0));
  const socket = connect(await listen(0, '127.0.0.1'), '127.0.0.1').on('error', () => undefined);
  socket.write(begin);
  const timer = setInterval(() => socket.write(more), 10);
  opened.push(
    () => clearInterval(timer),
    () => socket.destroy(),
    () => close(0),
  );
  const reply = await text(socket);
  expect(reply).toMatch(/^HTTP\/1.1 504 .*application\/problem\+json/s);
  expect(reply).toContain('"code":"DEADLINE_EXCEEDED"');
  expect(reply).toContain('"detail":"The request took too long to arrive"');
});
