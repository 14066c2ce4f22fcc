import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescMessage, DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';

/** The HTTP exchange of a `raw` operation. */
export interface RawExchange {
  readonly request: IncomingMessage;
  /** Has the operation's success code as its status. */
  readonly response: ServerResponse;
  /** The bytes of the request's body; throws `BODY_TOO_LARGE` beyond the limit of the operation, `CANCELLED`. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Answers a `raw` operation, once the call is authorized and what the address says is in `message` and valid. Gives
 * the message to answer with as JSON, or undefined when it has written and ended the response itself. `context.signal`
 * aborts when the caller goes away. What it throws is answered as everywhere; when the response has begun, the
 * connection is cut off.
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

/** A service of the contract with the handlers that implement it, by the local names of its operations. */
export interface Implementation {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly rawHandlers?: Readonly<Record<string, unknown>>;
}

/**
 * Pairs a service with its handlers, those of its `raw` operations apart; the compiler refuses to do without one. One
 * whose body may be a file can have both: a raw one for REST, and another one for gRPC.
 */
export function implement<Desc extends DescService, Raw extends keyof Desc['method'] = never>(
  service: Desc,
  handlers: Omit<ServiceImpl<Desc>, Raw> & Partial<ServiceImpl<Desc>>,
  rawHandlers?: RawHandlers<Desc, Raw>,
): Implementation {
  const notOverGrpc = () => {
    throw new AppError('ROUTE_NOT_FOUND');
  };
  const refused = Object.fromEntries(Object.keys(rawHandlers ?? {}).map((name) => [name, notOverGrpc]));
  return { service, handlers: { ...refused, ...handlers }, ...(rawHandlers === undefined ? {} : { rawHandlers }) };
}
