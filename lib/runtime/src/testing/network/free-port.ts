import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of this machine that was free a moment ago, for a process that cannot choose its own. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
