import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../run-cli.ts';

/**
 * Runs a command against a fake platform: the listener handles its requests, below the path `/surveys`. In the returned
 * output, `{url}` replaces the address of the platform.
 */
export async function runAgainst(
  listener: RequestListener,
  words: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/surveys`;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { SURVEY_URL: `${url}/`, SURVEY_TOKEN: 'token' };
  const code = await runCli(words, { env, stdin: Readable.from([]), stdout, stderr, signal });
  server.close();
  server.closeAllConnections();
  const read = async (output: PassThrough) => (await text(output.end())).replaceAll(url, '{url}');
  return { code, stdout: await read(stdout), stderr: await read(stderr) };
}
