import { testLog } from '@survey/runtime/testing/test-log';
import express from 'express';
import { type BackendProxyOptions, createBackendProxy } from '../forwarding/backend-proxy.ts';
import { cleanRequestHeaders } from '../forwarding/header-rules.ts';
import { answerErrors } from '../http/answer-errors.ts';
import { beginCall } from '../http/call.ts';
import { startServer, type TestServer } from './test-server.ts';

/** A gateway that does nothing but forward to one backend. */
export async function startProxy(
  url: string,
  options: Partial<Omit<BackendProxyOptions, 'url'>> = {},
): Promise<TestServer> {
  const proxy = createBackendProxy({ url, isDraining: () => false, ...options });
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
