import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from '@bufbuild/protobuf/wkt';

/**
 * gRPC service config (https://github.com/grpc/grpc/blob/master/doc/service_config.md): round robin over all addresses,
 * and retries of idempotent operations while servers are unavailable. gRPC itself retries other calls only if no server
 * has seen them (gRFC A6).
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
    // A lost process fails all of its calls at once, and all of them may be retried. Each failure takes a token, each
    // success returns a tenth of one. Below half of the tokens, as in an outage, gRPC does not retry.
    retryThrottling: { maxTokens: 1000, tokenRatio: 0.1 },
  });
}

/** Whether a call may be sent again after a server may have seen it, from its `idempotency_level`. */
export function isRetryable({ idempotency }: DescMethod): boolean {
  return idempotency === IdempotencyLevel.NO_SIDE_EFFECTS || idempotency === IdempotencyLevel.IDEMPOTENT;
}
