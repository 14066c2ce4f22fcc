import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import { testLog } from '@survey/runtime/testing/test-log';
import express from 'express';
import { createBackendProxy } from '../forwarding/backend-proxy.ts';
import { cleanRequestHeaders } from '../forwarding/header-rules.ts';
import { answerErrors } from '../http/answer-errors.ts';
import { beginCall } from '../http/call.ts';
import { startServer, type TestServer } from './test-server.ts';

/** A gateway that does nothing but forward to one backend. */
export async function startProxy(url: string, silenceMs?: number, tls?: PeerTls): Promise<TestServer> {
  const options = { url, tls, isDraining: () => false, ...(silenceMs === undefined ? {} : { silenceMs }) };
  const proxy = createBackendProxy(options);
  const app = express();
  app.use((request, response, next) => {
    beginCall(request, response);
    cleanRequestHeaders(request.headers);
    next();
  });
  app.use((request, response) => proxy.forward(request, response));
  app.use(answerErrors(testLog));
  const server = await startServer(app);
  return {
    ...server,
    async close() {
      await server.close();
      proxy.close();
    },
  };
}
