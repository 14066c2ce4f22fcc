import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescMessage, DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';

export interface RawExchange {
  readonly request: IncomingMessage;
  /** The response. Its status is the operation's success code. */
  readonly response: ServerResponse;
  /** The body of the request. Throws `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` (compressed) and `CANCELLED`. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Serves a `raw` operation after the call is authorized. `message` is filled from the URL, or from the JSON body of a
 * query form, and validated. Returns the message for a JSON reply, or undefined if the handler has written and ended the
 * response. `context.signal` aborts when the caller disconnects. Errors get the usual reply; if the response has begun,
 * the connection is closed instead.
 */
export type RawHandler<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> = (
  message: MessageShape<I>,
  context: HandlerContext,
  exchange: RawExchange,
) => Promise<MessageInitShape<O> | undefined>;

type RawHandlers<Desc extends DescService, Name extends keyof Desc['method']> = {
  [N in Name]: Desc['method'][N] extends DescMethod & {
    input: infer I extends DescMessage;
    output: infer O extends DescMessage;
  }
    ? RawHandler<I, O>
    : never;
};

/** A service of the contract with its handlers, by local name of the operation. */
export interface Implementation {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly rawHandlers?: Readonly<Record<string, unknown>>;
}

/**
 * Pairs a service with its handlers, and with raw handlers for its `raw` operations. The compiler reports missing
 * handlers. An operation whose body may be a file can have two: a raw handler for REST, and a handler for gRPC.
 */
export function implement<Desc extends DescService, Raw extends keyof Desc['method'] = never>(
  service: Desc,
  handlers: Omit<ServiceImpl<Desc>, Raw> & Partial<ServiceImpl<Desc>>,
  rawHandlers?: RawHandlers<Desc, Raw>,
): Implementation {
  const notOverGrpc = () => {
    throw new AppError('ROUTE_NOT_FOUND');
  };
  const rejected = Object.fromEntries(Object.keys(rawHandlers ?? {}).map((name) => [name, notOverGrpc]));
  return { service, handlers: { ...rejected, ...handlers }, ...(rawHandlers === undefined ? {} : { rawHandlers }) };
}
