import type { DescService } from '@bufbuild/protobuf';
import {
  type CallOptions,
  type Client,
  createClient,
  createContextKey,
  createContextValues,
  type Interceptor,
} from '@connectrpc/connect';
import type { TokenMinter, TokenSubject } from '../auth/internal-token.ts';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';
import { inSpan, runningTraceparent } from '../telemetry/spans.ts';
import type { CallContext, CallLimits } from './call-context.ts';
import { createGrpcTransport, DEFAULT_TIMEOUT_MS, type GrpcTransport } from './grpc-transport.ts';
import { headers } from './headers.ts';
import type { PeerTls } from './peer-tls.ts';

const onBehalfKey = createContextKey<OnBehalf>({}, { description: 'on behalf' });

/** Whom a call to another service is made for, and what of the running call goes along. */
export interface OnBehalf {
  readonly subject?: TokenSubject;
  readonly requestId?: string;
  readonly traceparent?: string;
  /** Those of the call that is being served: what is called for it ends with it. */
  readonly limits?: CallLimits;
}

/** Clients of the services of one other process. */
export interface ServiceConnection {
  client<Desc extends DescService>(service: Desc): Client<Desc>;
  close(): void;
}

interface ConnectOptions {
  /** Name of the other service: the audience of the tokens. */
  readonly name: string;
  readonly address: string;
  readonly minter: TokenMinter;
  readonly tls?: PeerTls | undefined;
  /** Whom its certificate has to name, where that is not the host of the address. */
  readonly serverName?: string | undefined;
}

/**
 * A connection to another service. Every call carries an internal token for the tenant it is made for, and fails with
 * the `AppError` that the other side threw.
 */
export function connectService(options: ConnectOptions): ServiceConnection {
  const { name, address, minter, tls, serverName } = options;
  const interceptor: Interceptor = (next) => async (request) => {
    const { subject = {}, requestId, traceparent } = request.contextValues.get(onBehalfKey);
    request.header.set('authorization', `Bearer ${await minter.mint(name, subject)}`);
    if (requestId) request.header.set(headers.requestId, requestId);
    const rpc = `${request.service.typeName}/${request.method.name}`;
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };
    const call = () => {
      const inside = runningTraceparent() ?? traceparent;
      if (inside) request.header.set(headers.traceparent, inside);
      return next(request);
    };
    return inSpan({ name: rpc, kind: 'client', attributes }, call, (error) => toAppError(error).reason);
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

/** An interceptor could not do this: what it throws comes out as a `ConnectError` again. */
function withAppErrors<T extends object>(client: T): T {
  const calls = Object.entries(client).map(([name, call]) => {
    const mapped = (request: unknown, options: CallOptions = {}) =>
      call(request, withinLimits(options)).catch((error: unknown) => Promise.reject(ofCallee(error)));
    return [name, mapped] as const;
  });
  // The same operations, with the same arguments and results.
  return Object.fromEntries(calls) as T;
}

/** A call that is made for another one has no more time than that one, and is given up with it. */
function withinLimits(options: CallOptions): CallOptions {
  const limits = options.contextValues?.get(onBehalfKey).limits;
  if (limits === undefined) return options;
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return {
    ...options,
    signal: signal === undefined ? limits.signal() : AbortSignal.any([signal, limits.signal()]),
    timeoutMs: Math.min(timeoutMs, limits.timeLeftMs() ?? timeoutMs),
  };
}

/** A refusal of our own token is a fault of ours: whom we serve was let in, and must not be told otherwise. */
function ofCallee(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const isRefusal = error.reason === 'INVALID_TOKEN' || error.reason === 'PERMISSION_DENIED';
  return isRefusal ? new AppError('INTERNAL', { cause: error }) : error;
}

/** Call options for a call made while serving another one: for its tenant and user, and within its time. */
export function onBehalfOf(call: CallContext): CallOptions {
  const { caller, requestId, traceparent, limits } = call;
  const subject = { tenantId: caller.tenantId, subject: caller.subject };
  return withOnBehalf({ subject, requestId, traceparent, limits });
}

/** Call options for a call made for a tenant, or for none. */
export function withOnBehalf(onBehalf: OnBehalf): CallOptions {
  return { contextValues: createContextValues().set(onBehalfKey, onBehalf) };
}
