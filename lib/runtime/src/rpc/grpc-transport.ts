import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
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
import { type ChannelOptions, Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { channelCredentials } from './channel-credentials.ts';
import { GRPC_MAX_MESSAGE_BYTES } from './grpc-server.ts';
import type { PeerTls } from './peer-tls.ts';
import { isRetried, serviceConfigOf } from './retry-policy.ts';

/** A Connect transport that can be closed. */
export interface GrpcTransport extends Transport {
  close(): void;
}

/** Deadline of calls that name none, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Together shorter than the deadline of a call: one that is sent to a peer which vanished can be asked of another. */
export const KEEPALIVE = { timeMs: 4_000, timeoutMs: 3_000 };

interface Options {
  /** `host:port`, or a target with its scheme; every address that it resolves to gets its share of the calls. */
  readonly address: string;
  /** The service that is called: its idempotent operations are retried. */
  readonly service: DescService;
  readonly interceptors?: Interceptor[];
  readonly tls?: PeerTls | undefined;
  /** Whom the certificate of the other side has to name, where that is not the host of the address. */
  readonly serverName?: string | undefined;
  /** A connection with calls on it is given up when nothing comes for `timeMs`, nor in answer to a ping for `timeoutMs`. */
  readonly keepalive?: { readonly timeMs: number; readonly timeoutMs: number };
}

/** Largest headers that are sent, in bytes. */
const MAX_HEADERS = 32 * 1024;

/** Connects to servers only when a call needs it. */
const channelOptions: ChannelOptions = {
  'grpc.max_receive_message_length': GRPC_MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': GRPC_MAX_MESSAGE_BYTES,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // Names are asked for when a connection ends, and no more often than this.
  'grpc.dns_min_time_between_resolutions_ms': 2_000,
  // Retries and balancing are what the code says, whoever may write to the DNS.
  'grpc.service_config_disable_resolution': 1,
};

/** A Connect transport over @grpc/grpc-js, for its balancing over a headless service, keepalive, deadlines and retries. */
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
      throw new ConnectError(`${method.name} is a stream, and the contract has none`, Code.Unimplemented);
    },
    close: () => client.close(),
  };
}

interface Request<I extends DescMessage> {
  readonly message: MessageInitShape<I>;
  readonly header: Headers;
  readonly signal: AbortSignal;
}

/** What became of a call: `broken` when its server was lost, and gRPC did not try another one. */
type Outcome<I extends DescMessage, O extends DescMessage> =
  | { readonly kind: 'answered'; readonly response: UnaryResponse<I, O> }
  | { readonly kind: 'failed' | 'broken'; readonly error: ConnectError };

async function callUnary<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  request: Request<I>,
  timeoutMs: number,
): Promise<UnaryResponse<I, O>> {
  const deadline = Date.now() + timeoutMs;
  let outcome = await attempt(client, method, request, deadline);
  // gRPC leaves alone a call whose answer has begun, since somebody may have read of it. Of a single message nobody has.
  if (outcome.kind === 'broken' && isRetried(method)) outcome = await attempt(client, method, request, deadline);
  if (outcome.kind !== 'answered') throw outcome.error;
  return outcome.response;
}

function attempt<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  request: Request<I>,
  deadline: number,
): Promise<Outcome<I, O>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<I, O>>();
  let header: Headers | undefined;
  const call = client.makeUnaryRequest<MessageShape<I>, MessageShape<O>>(
    `/${method.parent.typeName}/${method.name}`,
    (message) => Buffer.from(toBinary(method.input, message)),
    (bytes) => fromBinary(method.output, bytes),
    create(method.input, request.message),
    toMetadata(request.header),
    { deadline },
    (failure, message) => {
      request.signal.removeEventListener('abort', cancel);
      if (failure === null && message !== undefined) {
        const [itsHeader, trailer] = [header ?? new Headers(), new Headers()];
        const response = {
          stream: false,
          service: method.parent,
          method,
          header: itsHeader,
          trailer,
          message,
        } as const;
        return resolve({ kind: 'answered', response });
      }
      const error = failure === null ? new ConnectError('the answer is empty', Code.Internal) : toError(failure);
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
  // Beyond what the other side takes, the stream would break with an error that tells nothing.
  if (size > MAX_HEADERS) throw new ConnectError(`the headers are over ${MAX_HEADERS} bytes`, Code.ResourceExhausted);
  return metadata;
}

function copyInto(headers: Headers, metadata: Metadata): void {
  for (const [name, value] of Object.entries(metadata.getMap())) {
    headers.set(name, typeof value === 'string' ? value : value.toString('base64'));
  }
}

/** How grpc-js tells of a stream that ended without a status: its server died while the connection was being closed. */
const NO_STATUS = 'Received RST_STREAM with code 0';

/** The status with its details, read by the code that reads it from Connect's own clients. */
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
