// A collector that discards all spans.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import './end-with-parent.ts';

const server = createServer((request, response) => {
  request.resume().once('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => process.exit(0));
