import type { DescService } from '@bufbuild/protobuf';
import {
  type CallOptions,
  type Client,
  createClient,
  createContextKey,
  createContextValues,
  type Interceptor,
} from '@connectrpc/connect';
import type { TokenClaims, TokenMinter } from '../auth/internal-token.ts';
import { AppError } from '../errors/app-error.ts';
import { rpcStatusOf, toAppError } from '../errors/error-mapping.ts';
import { runningTraceparent, startChildSpan } from '../telemetry/spans.ts';
import { createGrpcTransport, type GrpcTransport } from './grpc-transport.ts';
import { headerNames } from './headers.ts';
import type { PeerTls } from './peer-tls.ts';

const onBehalfKey = createContextKey<OnBehalf>({}, { description: 'on behalf' });

/**
 * The tenant and user of a call to another service, and the request id and trace context of the call that causes it.
 */
export interface OnBehalf {
  readonly claims?: TokenClaims;
  readonly requestId?: string;
  readonly traceparent?: string;
}

/** Clients for the services of another process. */
export interface ServiceConnection {
  client<Desc extends DescService>(service: Desc): Client<Desc>;
  close(): void;
}

interface ConnectOptions {
  /** Name of the other service, the audience of tokens. */
  readonly name: string;
  readonly address: string;
  readonly minter: TokenMinter;
  readonly tls?: PeerTls | undefined;
  /** Expected name in the server's certificate. Default: the host of the address. */
  readonly serverName?: string | undefined;
}

/** Connects to another service. Calls carry an internal token for their tenant, and fail with an `AppError`. */
export function connectService(options: ConnectOptions): ServiceConnection {
  const { name, address, minter, tls, serverName } = options;
  const server = serverAttributes(address);
  const interceptor: Interceptor = (next) => async (request) => {
    const { claims = {}, requestId, traceparent } = request.contextValues.get(onBehalfKey);
    request.header.set('authorization', `Bearer ${await minter.mint(name, claims)}`);
    if (requestId) request.header.set(headerNames.requestId, requestId);
    const rpc = `${request.service.typeName}/${request.method.name}`;
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc, ...server };
    const call = () => {
      const current = runningTraceparent() ?? traceparent;
      if (current) request.header.set(headerNames.traceparent, current);
      return next(request);
    };
    const span = startChildSpan({ name: rpc, kind: 'client', attributes });
    try {
      const reply = await span.run(call);
      span.end({ attributes: { 'rpc.response.status_code': rpcStatusOf(undefined) } });
      return reply;
    } catch (error) {
      const { code } = toAppError(error);
      span.end({ attributes: { 'rpc.response.status_code': rpcStatusOf(code) }, error: code });
      throw error;
    }
  };
  const transports: GrpcTransport[] = [];
  return {
    client(service) {
      const transport = createGrpcTransport({ address, service, tls, serverName, interceptors: [interceptor] });
      transports.push(transport);
      return withAppErrors(createClient(service, transport));
    },
    close() {
      for (const transport of transports) transport.close();
    },
  };
}

/** The host and port of a gRPC address, such as `dns:///survey:9090`. */
function serverAttributes(address: string): Readonly<Record<string, string | number>> {
  const [, host, port] = /^(?:[\w+-]+:(?:\/\/[^/]*\/)?)?(.*):(\d+)$/.exec(address) ?? [];
  return host === undefined ? {} : { 'server.address': host.replace(/^\[(.*)\]$/, '$1'), 'server.port': Number(port) };
}

/** Makes calls fail with an `AppError`. An interceptor cannot: Connect converts its errors to `ConnectError`. */
function withAppErrors<T extends object>(client: T): T {
  const calls = Object.entries(client).map(([name, call]) => {
    const mapped = (request: unknown, options: CallOptions = {}) =>
      call(request, options).catch((error: unknown) => Promise.reject(toCallerError(error)));
    return [name, mapped] as const;
  });
  return Object.fromEntries(calls) as T;
}

/** Converts an error for the caller. A rejected internal token is our fault, so it becomes `INTERNAL`. */
function toCallerError(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const isRejection = error.code === 'INVALID_TOKEN' || error.code === 'PERMISSION_DENIED';
  return isRejection ? new AppError('INTERNAL', { cause: error }) : error;
}

/**
 * Options for a call on behalf of a tenant, or of none. The called operation checks only the calling process, so the
 * claims need no permissions.
 */
export function callOptionsFor(onBehalf: OnBehalf): CallOptions {
  return { contextValues: createContextValues().set(onBehalfKey, onBehalf) };
}
