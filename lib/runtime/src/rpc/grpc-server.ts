import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { Code, ConnectError, type Interceptor, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@survey/proto/grpc/health/v1/health_pb';
import { AppError } from '../errors/app-error.ts';
import { toConnectError } from '../errors/error-mapping.ts';
import { callContextKey } from './call-context.ts';
import { type Implementation, implement } from './implementation.ts';
import { createMessageCheck } from './message-check.ts';
import { type PeerTls, serverOptions, useLatestCertificates } from './peer-tls.ts';
import type { Pipeline } from './pipeline.ts';

/** Maximum size of a message, in bytes. */
export const GRPC_MAX_MESSAGE_BYTES = 20 * 1024 * 1024;

export type GrpcServer = Http2Listener;

interface Options extends Http2Options {
  readonly implementations: readonly Implementation[];
  readonly pipeline: Pipeline;
  /** Services without authentication, such as health. */
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

/**
 * Makes the adapter send a reply without a message (an error) as one frame: "Trailers-Only" in the gRPC protocol
 * (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#responses). The adapter would send headers first, and
 * after headers, clients must not retry (gRFC A6).
 *
 * The adapter calls `writeHead`, `write` for each part of a message, `addTrailers` and `end`, in this order.
 */
function sendErrorsAsTrailersOnly(response: Http2ServerResponse): void {
  const { writeHead, write, addTrailers, end } = response;
  let status = 200;
  let headers: OutgoingHttpHeaders = {};
  let trailers: OutgoingHttpHeaders = {};

  Object.assign(response, {
    writeHead(newStatus: number, newHeaders: OutgoingHttpHeaders) {
      [status, headers] = [newStatus, newHeaders];
      return response;
    },
    write(...args: readonly unknown[]) {
      if (!response.headersSent) Reflect.apply(writeHead, response, [status, headers]);
      return Reflect.apply(write, response, args);
    },
    addTrailers(newTrailers: OutgoingHttpHeaders) {
      trailers = newTrailers;
    },
    end() {
      if (response.headersSent) {
        Reflect.apply(addTrailers, response, [trailers]);
        return Reflect.apply(end, response, []);
      }
      if (!response.stream.destroyed) {
        response.stream.respond({ ':status': status, ...headers, ...trailers }, { endStream: true });
      }
      return response;
    },
  });
}

interface Http2Listener {
  listen(port: number, host: string): Promise<number>;
  /** Accepts no new calls. Resolves when the running calls are done, or aborted after `graceMs` (default: 15 s). */
  close(graceMs?: number): Promise<void>;
}

interface Http2Options {
  /** Default: plain text (h2c with prior knowledge). */
  readonly tls?: PeerTls | undefined;
  /** Maximum age of connections, ±20 %, so that clients spread over new replicas. Milliseconds. */
  readonly maxAgeMs?: number;
  /** When a connection ends, its running calls may continue for this time. Milliseconds. */
  readonly ageGraceMs?: number;
}

/** Limits of a session. Node itself closes sessions with too many resets (CVE-2023-44487) or invalid HTTP/2. */
const limits = {
  /** Streams above this number wait at the client. */
  settings: { maxConcurrentStreams: 256 },
  /**
   * Memory of a session in megabytes. Above this limit, streams are rejected. A single message may have 20 megabytes.
   */
  maxSessionMemory: 512,
};

function createHttp2Listener(
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  { tls, maxAgeMs = 180_000, ageGraceMs = 30_000 }: Http2Options = {},
): Http2Listener {
  const server =
    tls === undefined
      ? createServer(limits, handler)
      : createSecureServer({ ...limits, ...serverOptions(tls) }, handler);
  const stopUsingCertificates = tls === undefined ? () => {} : useLatestCertificates(server as Http2SecureServer, tls);
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let closing = false;

  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    const end = setTimeout(() => closeGracefully(session, ageGraceMs), maxAgeMs * (0.8 + Math.random() * 0.4));
    session.once('close', () => {
      clearTimeout(end);
      sessions.delete(session);
    });
    // The client notices a broken connection, and retries.
    session.on('error', () => session.destroy());
    if (closing) session.close();
  });

  return {
    listen: (port, host) => listen(server, port, host),
    close: (graceMs = 15_000) =>
      new Promise((resolve) => {
        closing = true;
        // Also ends sockets without a session.
        const killTimer = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs);
        server.close(() => {
          clearTimeout(killTimer);
          stopUsingCertificates();
          resolve();
        });
        for (const session of sessions) closeGracefully(session, graceMs);
      }),
  };
}

/**
 * Ends a session when its calls are done. The session rejects new streams, and the client sends them again in another
 * session. RFC 9113 (section 6.8) recommends a first GOAWAY that still allows new streams. Do not send that frame:
 * Node's nghttp2 never replies to streams that arrive after it.
 */
function closeGracefully(session: ServerHttp2Session, graceMs: number): void {
  if (session.closed || session.destroyed) return;
  const killTimer = setTimeout(() => session.destroy(), graceMs);
  session.once('close', () => clearTimeout(killTimer));
  session.close();
}

function listen(server: Http2Server | Http2SecureServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

interface GrpcHealthOptions {
  /** Full names of the services of the process. */
  readonly services: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

/**
 * `grpc.health.v1` (https://github.com/grpc/grpc/blob/master/doc/health-checking.md) for the kubelet. The process
 * (named '') and its services have the same status. Other names are `NOT_FOUND`.
 */
export function createGrpcHealth({ services, isReady }: GrpcHealthOptions): Implementation {
  const names = new Set(['', ...services]);
  const readStatus = async () => ({ status: (await isReady()) ? Status.SERVING : Status.NOT_SERVING });
  return implement(Health, {
    check({ service }) {
      if (!names.has(service)) throw new ConnectError(`${service} is not served here`, Code.NotFound);
      return readStatus();
    },
    async list() {
      const status = await readStatus();
      return { statuses: Object.fromEntries([...names].map((name) => [name, status])) };
    },
    watch() {
      throw new ConnectError('watch is not served, use check', Code.Unimplemented);
    },
  });
}
