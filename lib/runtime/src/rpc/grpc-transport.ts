import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  createContextValues,
  type Interceptor,
  type Transport,
  type UnaryResponse,
} from '@connectrpc/connect';
import { runUnaryCall } from '@connectrpc/connect/protocol';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials,
  experimental,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { GRPC_MAX_MESSAGE_BYTES } from './grpc-server.ts';
import type { PeerTls } from './peer-tls.ts';

export interface GrpcTransport extends Transport {
  close(): void;
}

/** Default deadline of calls, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Together shorter than the default deadline of a call, so that a call to a vanished peer can be retried elsewhere. */
export const KEEPALIVE = { timeMs: 4_000, timeoutMs: 3_000 };

interface Options {
  /** `host:port`, or a target with a scheme. Calls are spread over all addresses that it resolves to. */
  readonly address: string;
  /** The called service, whose idempotent operations are retried. */
  readonly service: DescService;
  readonly interceptors?: Interceptor[];
  readonly tls?: PeerTls | undefined;
  /** Expected name in the server's certificate. Default: the host of the address. */
  readonly serverName?: string | undefined;
  /** A connection with calls is pinged after `timeMs` of silence, and closed if no reply comes within `timeoutMs`. */
  readonly keepalive?: { readonly timeMs: number; readonly timeoutMs: number };
}

const MAX_HEADER_BYTES = 32 * 1024;

/** Options of a channel, which connects on the first call. */
const channelOptions: ChannelOptions = {
  'grpc.max_receive_message_length': GRPC_MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': GRPC_MAX_MESSAGE_BYTES,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // DNS names are resolved again when a connection ends, at most this often.
  'grpc.dns_min_time_between_resolutions_ms': 2_000,
  // Use only the service config of the code, never one from DNS.
  'grpc.service_config_disable_resolution': 1,
};

/** A Connect transport over @grpc/grpc-js, which has load balancing, keepalive, deadlines and retries. */
export function createGrpcTransport(options: Options): GrpcTransport {
  const { address, service, interceptors = [], tls, serverName, keepalive = KEEPALIVE } = options;
  const target = address.includes('://') ? address : `dns:///${address}`;
  const client = new Client(target, channelCredentials(tls), {
    ...channelOptions,
    ...(serverName === undefined ? {} : { 'grpc.ssl_target_name_override': serverName }),
    'grpc.service_config': serviceConfigOf(service),
    'grpc.keepalive_time_ms': keepalive.timeMs,
    'grpc.keepalive_timeout_ms': keepalive.timeoutMs,
  });

  return {
    unary(method, signal, timeoutMs = DEFAULT_TIMEOUT_MS, header, input, contextValues) {
      return runUnaryCall({
        interceptors,
        timeoutMs,
        ...(signal === undefined ? {} : { signal }),
        req: {
          stream: false,
          service: method.parent,
          requestMethod: 'POST',
          method,
          url: `http://${address}/${method.parent.typeName}/${method.name}`,
          header: new Headers(header),
          contextValues: contextValues ?? createContextValues(),
          message: input,
        },
        next: (request) => callUnary(client, method, request, timeoutMs),
      });
    },
    stream(method) {
      throw new ConnectError(
        `${method.name} is a streaming method, which this transport does not support`,
        Code.Unimplemented,
      );
    },
    close: () => client.close(),
  };
}

interface Request<I extends DescMessage> {
  readonly message: MessageInitShape<I>;
  readonly header: Headers;
  readonly signal: AbortSignal;
}

/**
 * The result of an attempt. `broken`: the connection broke, and gRPC did not retry. `refused`: no server has processed
 * the call, because the connections were closing.
 */
type Outcome<I extends DescMessage, O extends DescMessage> =
  | { readonly kind: 'replied'; readonly response: UnaryResponse<I, O> }
  | { readonly kind: 'failed' | 'broken' | 'refused'; readonly error: ConnectError };

/** Maximum number of times that a refused call is sent again. */
const MAX_REFUSALS = 5;

async function callUnary<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  request: Request<I>,
  timeoutMs: number,
): Promise<UnaryResponse<I, O>> {
  const end = performance.now() + timeoutMs;
  const tryOnce = () => attempt(client, method, request, end - performance.now());
  let outcome = await tryOnce();
  // gRPC retries a refused call once, but the next connection can be closing, too.
  for (let refusals = 0; outcome.kind === 'refused' && refusals < MAX_REFUSALS; refusals += 1)
    outcome = await tryOnce();
  // gRPC does not retry after the reply has begun, but the caller has received nothing of it yet.
  if (outcome.kind === 'broken' && isRetryable(method)) outcome = await tryOnce();
  if (outcome.kind !== 'replied') throw outcome.error;
  return outcome.response;
}

function attempt<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  request: Request<I>,
  timeLeftMs: number,
): Promise<Outcome<I, O>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<I, O>>();
  let header: Headers | undefined;
  const call = client.makeUnaryRequest<MessageShape<I>, MessageShape<O>>(
    `/${method.parent.typeName}/${method.name}`,
    (message) => Buffer.from(toBinary(method.input, message)),
    (bytes) => fromBinary(method.output, bytes),
    create(method.input, request.message),
    toMetadata(request.header),
    { deadline: Date.now() + timeLeftMs },
    (failure, message) => {
      request.signal.removeEventListener('abort', cancel);
      if (failure === null && message !== undefined) {
        const [replyHeader, trailer] = [header ?? new Headers(), new Headers()];
        const response = {
          stream: false,
          service: method.parent,
          method,
          header: replyHeader,
          trailer,
          message,
        } as const;
        return resolve({ kind: 'replied', response });
      }
      const error = failure === null ? new ConnectError('the reply is empty', Code.Internal) : toError(failure);
      if (failure?.details === REFUSED && header === undefined) return resolve({ kind: 'refused', error });
      const isBroken = error.code === Code.Unavailable && (header !== undefined || failure?.code === status.INTERNAL);
      resolve({ kind: isBroken ? 'broken' : 'failed', error });
    },
  );
  const cancel = () => call.cancel();
  if (request.signal.aborted) cancel();
  request.signal.addEventListener('abort', cancel, { once: true });
  call.on('metadata', (metadata) => {
    header = new Headers();
    copyInto(header, metadata);
  });
  return promise;
}

function toMetadata(headers: Headers): Metadata {
  const metadata = new Metadata();
  let size = 0;
  for (const [name, value] of headers) {
    size += name.length + value.length;
    metadata.set(name, value);
  }
  // Headers over the peer's limit would break the stream with an unclear error.
  if (size > MAX_HEADER_BYTES)
    throw new ConnectError(`the headers are over ${MAX_HEADER_BYTES} bytes`, Code.ResourceExhausted);
  return metadata;
}

function copyInto(headers: Headers, metadata: Metadata): void {
  for (const [name, value] of Object.entries(metadata.getMap())) {
    headers.set(name, typeof value === 'string' ? value : value.toString('base64'));
  }
}

/** grpc-js's message for a stream that the server refused (RFC 9113, section 8.7). */
const REFUSED = 'Stream refused by server';

/** grpc-js's message for a stream without a status: the server died while the connection was closing. */
const NO_STATUS = 'Received RST_STREAM with code 0';

/** Converts a status with its details, with the parser of Connect's own clients. */
function toError({ code, details, metadata, cause }: ServiceError): ConnectError {
  if (code === status.INTERNAL && details.startsWith(NO_STATUS)) return new ConnectError(details, Code.Unavailable);
  const trailer = new Headers();
  copyInto(trailer, metadata);
  trailer.set('grpc-status', String(code));
  trailer.set('grpc-message', encodeURIComponent(details));
  const error = findTrailerError(trailer) ?? new ConnectError(details, Code.Unknown);
  error.cause = cause;
  return error;
}

/** Credentials of a channel. Its new connections use the latest certificates. */
function channelCredentials(tls: PeerTls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const provider = toProvider(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

function toProvider(tls: PeerTls): experimental.CertificateProvider {
  const followers = new Map<unknown, () => void>();
  function follow(listener: unknown, notify: () => void): void {
    followers.set(listener, tls.onChange(notify));
    process.nextTick(notify);
  }
  function unfollow(listener: unknown): void {
    followers.get(listener)?.();
    followers.delete(listener);
  }
  return {
    addCaCertificateListener: (listener) => follow(listener, () => listener({ caCertificate: tls.current().ca })),
    addIdentityCertificateListener: (listener) =>
      follow(listener, () => {
        const { cert, key } = tls.current();
        listener({ certificate: cert, privateKey: key });
      }),
    removeCaCertificateListener: unfollow,
    removeIdentityCertificateListener: unfollow,
  };
}

/**
 * gRPC service config (https://github.com/grpc/grpc/blob/master/doc/service_config.md): round robin over all addresses,
 * and retries of idempotent operations while servers are unavailable. gRPC retries other calls only if no server has
 * processed them (gRFC A6).
 */
export function serviceConfigOf(service: DescService): string {
  const retried = service.methods.filter(isRetryable).map(({ name }) => ({ service: service.typeName, method: name }));
  const retryPolicy = {
    maxAttempts: 4,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 3,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: retried.length === 0 ? [] : [{ name: retried, retryPolicy }],
    // When a process is lost, all of its calls fail and may be retried at once, so there are many tokens. A failure
    // takes one token, a success returns a tenth. Below half of the tokens, as in an outage, gRPC does not retry.
    retryThrottling: { maxTokens: 1000, tokenRatio: 0.1 },
  });
}

/** Whether a call may be sent again, although a server may have processed it. The `idempotency_level` decides. */
export function isRetryable({ idempotency }: DescMethod): boolean {
  return idempotency === IdempotencyLevel.NO_SIDE_EFFECTS || idempotency === IdempotencyLevel.IDEMPOTENT;
}
