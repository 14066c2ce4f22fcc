import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from '@bufbuild/protobuf/wkt';

/**
 * gRPC service config (https://github.com/grpc/grpc/blob/master/doc/service_config.md): calls go round robin over all
 * addresses, and what the contract marks as idempotent is tried again while no server can be reached. Anything else is
 * sent again only when it is certain that no server has seen it, which gRPC does by itself (gRFC A6).
 */
export function serviceConfigOf(service: DescService): string {
  const retried = service.methods.filter(isRetried).map(({ name }) => ({ service: service.typeName, method: name }));
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
    // A lost process fails all calls that it had in hand at once: these are tried again. Beyond 500 more failures than a
    // tenth of the successes nothing is, since it would only add to an outage.
    retryThrottling: { maxTokens: 1000, tokenRatio: 0.1 },
  });
}

/** Whether a call may be sent again after a server may have seen it, as its `idempotency_level` says. */
export function isRetried({ idempotency }: DescMethod): boolean {
  return idempotency === IdempotencyLevel.NO_SIDE_EFFECTS || idempotency === IdempotencyLevel.IDEMPOTENT;
}
