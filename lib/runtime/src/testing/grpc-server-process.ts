// A gRPC server in a process of its own: host, port, JWKS file, and the age of its connections in milliseconds.
import { startTestServer } from './test-server.ts';

const [host = '', port = '', jwksFile = '', maxAgeMs = ''] = process.argv.slice(2);
const server = await startTestServer({
  jwksFile,
  host,
  port: Number(port),
  maxAgeMs: Number(maxAgeMs),
  // Long enough that there are always calls under way.
  getPermissions: () => new Promise((resolve) => setTimeout(resolve, 5, { role: host })),
});
process.stdout.write(`${server.port}\n`);
