import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Interceptor, ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AppError } from '../errors/app-error.ts';
import { toConnectError } from '../errors/error-mapping.ts';
import { callContextKey } from './call-context.ts';
import type { Implementation } from './implementation.ts';
import type { Pipeline } from './pipeline.ts';

/** Largest message that is read or written, in bytes. */
export const GRPC_MAX_MESSAGE_BYTES = 20 * 1024 * 1024;
/** Sessions are closed after this long, give or take a fifth, so that clients look for new servers. */
const SESSION_MAX_AGE_MS = 180_000;

export interface GrpcServer {
  /** Listens, and resolves to the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new calls and resolves when the running ones are done. */
  close(): Promise<void>;
}

interface Options {
  readonly implementations: readonly Implementation[];
  readonly pipeline: Pipeline;
  /** Services that need no token: health. */
  readonly open?: readonly Implementation[];
}

/** gRPC over HTTP/2 without TLS; every call of `implementations` goes through the pipeline. */
export function createGrpcServer({ implementations, pipeline, open = [] }: Options): GrpcServer {
  const opened = new Set(open.map(({ service }) => service.typeName));
  const handler = connectNodeAdapter({
    routes: (router) => {
      for (const { service, handlers } of [...implementations, ...open]) {
        router.service(service, handlers as ServiceImpl<typeof service>); // paired by `implement`
      }
    },
    interceptors: [pipelineInterceptor(pipeline, opened)],
    readMaxBytes: GRPC_MAX_MESSAGE_BYTES,
    writeMaxBytes: GRPC_MAX_MESSAGE_BYTES,
    connect: false,
    grpcWeb: false,
  });
  const server = createServer(handler);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    const age = setTimeout(() => session.close(), SESSION_MAX_AGE_MS * (0.8 + Math.random() * 0.4));
    session.on('close', () => {
      clearTimeout(age);
      sessions.delete(session);
    });
    // A broken connection is the client's to notice and to retry.
    session.on('error', () => session.destroy());
  });

  return {
    listen: (port, host) => listen(server, port, host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.close();
      }),
  };
}

function listen(server: Http2Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // A listening TCP server has an AddressInfo.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function pipelineInterceptor(pipeline: Pipeline, opened: ReadonlySet<string>): Interceptor {
  return (next) => async (request) => {
    if (opened.has(request.service.typeName)) return next(request);
    try {
      return await pipeline.run(
        'grpc',
        request.method,
        (name) => request.header.get(name),
        (call) => {
          if (!request.stream) validate(pipeline, request.method.input, request.message);
          request.contextValues.set(callContextKey, call);
          return next(request);
        },
      );
    } catch (error) {
      // The pipeline throws nothing else.
      throw error instanceof AppError ? toConnectError(error) : error;
    }
  };
}

function validate(pipeline: Pipeline, schema: DescMessage, message: MessageShape<DescMessage>): void {
  pipeline.validate(schema, message);
}
