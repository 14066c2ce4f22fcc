import { Code, ConnectError } from '@connectrpc/connect';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@survey/proto/grpc/health/v1/health_pb';
import { type Implementation, implement } from './implementation.ts';

/** `grpc.health.v1` for the kubelet: serving while the process is ready. */
export function createGrpcHealth(isReady: () => Promise<boolean>): Implementation {
  const status = async () => ({ status: (await isReady()) ? Status.SERVING : Status.NOT_SERVING });
  return implement(Health, {
    check: () => status(),
    list: async () => ({ statuses: { '': await status() } }),
    watch: () => {
      throw new ConnectError('watch is not served, use check', Code.Unimplemented);
    },
  });
}
