import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createHttpListener } from './http-listener.ts';

it('closes the connection of a caller that keeps sending a body after the reply', async () => {
  const listener = createHttpListener((_request, response) => void response.end('no'));
  const port = await listener.listen(0, '127.0.0.1');
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsome');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  await listener.close(0);
});
