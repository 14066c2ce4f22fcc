// The minimal cost of a gateway: a bare proxy of Express and http-proxy-middleware with defaults. The first argument is
// the upstream URL.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import './end-with-parent.ts';

const app = express();
app.use(createProxyMiddleware({ target: process.argv[2] ?? '' }));
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.disconnect?.();
  // The middleware keeps connections open, so exit explicitly.
  process.exit();
});
