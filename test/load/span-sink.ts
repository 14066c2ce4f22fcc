// A collector that takes all spans and keeps none.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume().once('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an AddressInfo.
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => process.exit(0));
