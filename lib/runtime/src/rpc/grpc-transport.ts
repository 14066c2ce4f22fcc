import {
  create,
  type DescMessage,
  type DescMethodUnary,
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
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { GRPC_MAX_MESSAGE_BYTES } from './grpc-server.ts';

/** A Connect transport that can be closed. */
export interface GrpcTransport extends Transport {
  close(): void;
}

interface Options {
  /** `host:port`; every address that the name resolves to gets its share of the calls. */
  readonly address: string;
  readonly interceptors?: Interceptor[];
  /** Deadline of calls that name none, in milliseconds. */
  readonly defaultTimeoutMs?: number;
}

/** Connects to servers only when a call needs it, and spreads calls over them. */
const channelOptions = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_receive_message_length': GRPC_MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': GRPC_MAX_MESSAGE_BYTES,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

/** A Connect transport over @grpc/grpc-js, for its balancing over a headless service, keepalive and deadlines. */
export function createGrpcTransport({ address, interceptors = [], defaultTimeoutMs = 10_000 }: Options): GrpcTransport {
  const client = new Client(`dns:///${address}`, credentials.createInsecure(), channelOptions);

  return {
    unary(method, signal, timeoutMs = defaultTimeoutMs, header, input, contextValues) {
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

function callUnary<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  request: Request<I>,
  timeoutMs: number,
): Promise<UnaryResponse<I, O>> {
  return new Promise((resolve, reject) => {
    const header = new Headers();
    const call = client.makeUnaryRequest<MessageShape<I>, MessageShape<O>>(
      `/${method.parent.typeName}/${method.name}`,
      (message) => Buffer.from(toBinary(method.input, message)),
      (bytes) => fromBinary(method.output, bytes),
      create(method.input, request.message),
      toMetadata(request.header),
      { deadline: Date.now() + timeoutMs },
      (error, message) => {
        request.signal.removeEventListener('abort', cancel);
        if (error !== null) reject(toError(error));
        else if (message === undefined) reject(new ConnectError('the answer is empty', Code.Internal));
        else resolve({ stream: false, service: method.parent, method, header, trailer: new Headers(), message });
      },
    );
    const cancel = () => call.cancel();
    request.signal.addEventListener('abort', cancel, { once: true });
    call.on('metadata', (metadata) => copyInto(header, metadata));
  });
}

function toMetadata(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) metadata.set(name, value);
  return metadata;
}

function copyInto(headers: Headers, metadata: Metadata): void {
  for (const [name, value] of Object.entries(metadata.getMap())) {
    headers.set(name, typeof value === 'string' ? value : value.toString('base64'));
  }
}

/** The status with its details, read by the code that reads it from Connect's own clients. */
function toError({ code, details, metadata, cause }: ServiceError): ConnectError {
  const trailer = new Headers();
  copyInto(trailer, metadata);
  trailer.set('grpc-status', String(code));
  trailer.set('grpc-message', encodeURIComponent(details));
  const error = findTrailerError(trailer) ?? new ConnectError(details, Code.Unknown);
  error.cause = cause;
  return error;
}
