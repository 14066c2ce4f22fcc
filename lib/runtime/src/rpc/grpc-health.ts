import { Code, ConnectError } from '@connectrpc/connect';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@survey/proto/grpc/health/v1/health_pb';
import { type Implementation, implement } from './implementation.ts';

interface Options {
  /** Full names of the services of the process. */
  readonly services: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

/**
 * `grpc.health.v1` (https://github.com/grpc/grpc/blob/master/doc/health-checking.md) for the kubelet. The process (the
 * empty name) and its services are serving while the process is ready. Other names are `NOT_FOUND`.
 */
export function createGrpcHealth({ services, isReady }: Options): Implementation {
  const names = new Set(['', ...services]);
  const readStatus = async () => ({ status: (await isReady()) ? Status.SERVING : Status.NOT_SERVING });
  return implement(Health, {
    check({ service }) {
      if (!names.has(service)) throw new ConnectError(`${service} is not served here`, Code.NotFound);
      return readStatus();
    },
    async list() {
      const status = await readStatus();
      return { statuses: Object.fromEntries([...names].map((name) => [name, status])) };
    },
    watch() {
      throw new ConnectError('watch is not served, use check', Code.Unimplemented);
    },
  });
}
