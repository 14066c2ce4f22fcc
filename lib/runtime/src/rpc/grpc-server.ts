import type { Interceptor, ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AppError } from '../errors/app-error.ts';
import { toConnectError } from '../errors/error-mapping.ts';
import { callContextKey } from './call-context.ts';
import { createHttp2Listener, type Http2Listener, type Http2Options } from './http2-listener.ts';
import type { Implementation } from './implementation.ts';
import { createMessageCheck } from './message-check.ts';
import type { Pipeline } from './pipeline.ts';
import { sendErrorsAsTrailersOnly } from './trailers-only.ts';

/** Maximum size of a message, in bytes. */
export const GRPC_MAX_MESSAGE_BYTES = 20 * 1024 * 1024;

export type GrpcServer = Http2Listener;

interface Options extends Http2Options {
  readonly implementations: readonly Implementation[];
  readonly pipeline: Pipeline;
  /** Services without authentication: health. */
  readonly unauthenticated?: readonly Implementation[];
}

/** A gRPC server over HTTP/2. All calls of `implementations` go through the pipeline. */
export function createGrpcServer(options: Options): GrpcServer {
  const { implementations, pipeline, unauthenticated = [], ...listenerOptions } = options;
  const exempt = new Set(unauthenticated.map(({ service }) => service.typeName));
  const handler = connectNodeAdapter({
    routes: (router) => {
      for (const { service, handlers } of [...implementations, ...unauthenticated]) {
        router.service(service, handlers as ServiceImpl<typeof service>); // paired by `implement`
      }
    },
    interceptors: [pipelineInterceptor(pipeline, exempt)],
    readMaxBytes: GRPC_MAX_MESSAGE_BYTES,
    writeMaxBytes: GRPC_MAX_MESSAGE_BYTES,
    connect: false,
    grpcWeb: false,
  });
  return createHttp2Listener((request, response) => {
    sendErrorsAsTrailersOnly(response);
    handler(request, response);
  }, listenerOptions);
}

function pipelineInterceptor(pipeline: Pipeline, exempt: ReadonlySet<string>): Interceptor {
  const checkMessage = createMessageCheck();
  return (next) => async (request) => {
    if (exempt.has(request.service.typeName)) return next(request);
    try {
      return await pipeline.run(
        'grpc',
        request.method,
        (name) => request.header.get(name),
        (call) => {
          if (!request.stream) checkMessage(request.method.input, request.message);
          request.contextValues.set(callContextKey, call);
          return next(request);
        },
      );
    } catch (error) {
      // The pipeline throws only AppErrors.
      throw error instanceof AppError ? toConnectError(error) : error;
    }
  };
}
