import type { Backend } from '@survey/proto/catalog';
import { createTokenMinter } from '@survey/runtime/auth/internal-token';
import { createLog } from '@survey/runtime/log/create-log';
import { loadPeerTls } from '@survey/runtime/rpc/peer-tls';
import { connectService, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { loadOperatorKey } from '../stack/keys.ts';

/** Connects to services as a platform operator. */
interface OperatorConnector {
  /** @param serverName host name in the certificate, if it differs from the host of the address */
  connect(name: Backend, address: string, serverName?: string): ServiceConnection;
  /** Does not close the connections. */
  close(): void;
}

/** Uses the operator's key in this folder. With `TLS_DIR`, connections use mutual TLS. */
export async function createOperatorConnector(keysFolder: string, env = process.env): Promise<OperatorConnector> {
  const privateKey = await loadOperatorKey(keysFolder);
  const minter = await createTokenMinter({ service: 'operator', privateKey });
  const tls = await loadPeerTls(env['TLS_DIR'], createLog({ service: 'admin', level: 'silent' }));
  return {
    connect: (name, address, serverName) =>
      connectService({ name, address, minter, tls, serverName: tls && serverName }),
    close: () => tls?.close(),
  };
}
