// The least that a gateway of Express and http-proxy-middleware can cost: they alone, with what they do by default. Its
// first argument is the address that it stands before.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const app = express();
app.use(createProxyMiddleware({ target: process.argv[2] ?? '' }));
const server = app.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an AddressInfo.
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.disconnect?.();
  // The connections that the middleware keeps are its own.
  process.exit();
});
