// A gRPC server in its own process. Arguments: host, port, JWKS file, maximum age of connections in milliseconds.
import { startTestServer } from '../rpc/test-server.ts';

const [host = '', port = '', jwksFile = '', maxAgeMs = ''] = process.argv.slice(2);
const server = await startTestServer({
  jwksFile,
  host,
  port: Number(port),
  maxAgeMs: Number(maxAgeMs),
  // Slow enough that calls always overlap.
  getPermissions: () => new Promise((resolve) => setTimeout(resolve, 5, { role: host })),
});
process.stdout.write(`${server.port}\n`);
