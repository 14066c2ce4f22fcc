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
import type { CallContext } from './call-context.ts';
import { createGrpcTransport } from './grpc-transport.ts';
import { headers } from './headers.ts';

const onBehalfKey = createContextKey<OnBehalf>({}, { description: 'on behalf' });

/** Whom a call to another service is made for, and what of the running call goes along. */
export interface OnBehalf {
  readonly subject?: TokenSubject;
  readonly requestId?: string;
  readonly traceparent?: string;
}

/** Clients of the services of one other process. */
export interface ServiceConnection {
  client<Desc extends DescService>(service: Desc): Client<Desc>;
  close(): void;
}

/**
 * A connection to another service. Every call carries an internal token for the tenant it is made for, and fails with
 * the `AppError` that the other side threw.
 */
export function connectService(options: { name: string; address: string; minter: TokenMinter }): ServiceConnection {
  const { name, address, minter } = options;
  const interceptor: Interceptor = (next) => async (request) => {
    const { subject = {}, requestId, traceparent } = request.contextValues.get(onBehalfKey);
    request.header.set('authorization', `Bearer ${await minter.mint(name, subject)}`);
    if (requestId) request.header.set(headers.requestId, requestId);
    if (traceparent) request.header.set(headers.traceparent, traceparent);
    return next(request);
  };
  const transport = createGrpcTransport({ address, interceptors: [interceptor] });
  return {
    client: (service) => withAppErrors(createClient(service, transport)),
    close: () => transport.close(),
  };
}

/** An interceptor could not do this: what it throws comes out as a `ConnectError` again. */
function withAppErrors<T extends object>(client: T): T {
  const calls = Object.entries(client).map(([name, call]) => {
    const mapped = (...args: unknown[]) => call(...args).catch((error: unknown) => Promise.reject(ofCallee(error)));
    return [name, mapped] as const;
  });
  // The same operations, with the same arguments and results.
  return Object.fromEntries(calls) as T;
}

/** A refusal of our own token is a fault of ours: whom we serve was let in, and must not be told otherwise. */
function ofCallee(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const isRefusal = error.reason === 'INVALID_TOKEN' || error.reason === 'PERMISSION_DENIED';
  return isRefusal ? new AppError('INTERNAL', { cause: error }) : error;
}

/** Call options for a call made while serving another one, for its tenant and user. */
export function onBehalfOf(call: CallContext): CallOptions {
  const { caller, requestId, traceparent } = call;
  const subject = { tenantId: caller.tenantId, subject: caller.subject };
  return withOnBehalf({ subject, requestId, traceparent });
}

/** Call options for a call made for a tenant, or for none. */
export function withOnBehalf(onBehalf: OnBehalf): CallOptions {
  return { contextValues: createContextValues().set(onBehalfKey, onBehalf) };
}
