import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Finished, runInProcess } from './run-in-process.ts';

/**
 * Runs a command against a fake platform: the listener handles its requests, below the path `/surveys`. In the returned
 * output, `{url}` replaces the address of the platform.
 */
export async function runAgainst(
  listener: RequestListener,
  words: readonly string[],
  signal?: AbortSignal,
  withAddress: (url: string) => readonly string[] = () => words,
): Promise<Finished> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/surveys`;
  const env = { SURVEY_URL: `${url}/`, SURVEY_TOKEN: 'token' };
  const { code, stdout, stderr } = await runInProcess(withAddress(url), { env, ...(signal && { signal }) });
  server.close();
  server.closeAllConnections();
  return { code, stdout: stdout.replaceAll(url, '{url}'), stderr: stderr.replaceAll(url, '{url}') };
}
