import type { DescService } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';

/** A service of the contract with the handlers that implement it. */
export interface Implementation {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** Pairs a service with its handlers; the compiler refuses handlers that lack an operation. */
export function implement<Desc extends DescService>(service: Desc, handlers: ServiceImpl<Desc>): Implementation {
  // Who takes it out again looks handlers up by the names of the same descriptor.
  return { service, handlers: handlers as unknown as Record<string, unknown> };
}
