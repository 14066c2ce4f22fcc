import { createOperatorConnector } from '@survey/local/operator/operator-connector';
import { serviceNames } from '@survey/local/stack/services';
import { type Backend, catalog } from '@survey/proto/catalog';
import { KeyService } from '@survey/proto/survey/keys/v1/key_service_pb';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';

/** The result of an operation on each service. */
export interface OutcomeByService {
  /** Results by name of the service. */
  readonly done: Readonly<Record<string, object>>;
  /** Errors by name of the service. */
  readonly failed: Readonly<Record<string, Error>>;
}

export interface KeyClient {
  readonly rotate: (tenantId: string) => Promise<OutcomeByService>;
  readonly rewrap: () => Promise<OutcomeByService>;
  readonly close: () => void;
}

const keyServices = serviceNames.filter((name) => catalog[name].some((service) => service === KeyService));
/** Timeout of a call, in milliseconds. Rewrapping all data keys may take long. */
const DEADLINE_MS = 60_000;

/** Connects, as a platform operator, to all services that have data keys. See `createOperatorConnector`. */
export async function createKeyClient(
  keysFolder: string,
  addressOf: (name: Backend) => string,
  serverNameOf: (name: Backend) => string | undefined = () => undefined,
): Promise<KeyClient> {
  const connector = await createOperatorConnector(keysFolder);
  const connections = keyServices.map(
    (name) => [name, connector.connect(name, addressOf(name), serverNameOf(name))] as const,
  );

  async function callAll(call: (connection: ServiceConnection) => Promise<object>): Promise<OutcomeByService> {
    const done: Record<string, object> = {};
    const failed: Record<string, Error> = {};
    const calls = connections.map(async ([name, connection]) => {
      try {
        done[name] = await call(connection);
      } catch (error) {
        failed[name] = toAppError(error);
      }
    });
    await Promise.all(calls);
    return { done, failed };
  }

  const timeout = { timeoutMs: DEADLINE_MS };
  return {
    rotate: (tenantId) =>
      callAll(async (connection) => {
        const { version } = await connection.client(KeyService).rotateDataKey({ tenantId }, timeout);
        return { version };
      }),
    rewrap: () =>
      callAll(async (connection) => {
        const keys = await connection.client(KeyService).rewrapDataKeys({}, timeout);
        return { active_key: keys.activeKey, rewrapped: keys.rewrapped, remaining: keys.remaining };
      }),
    close() {
      for (const [, connection] of connections) connection.close();
      connector.close();
    },
  };
}
