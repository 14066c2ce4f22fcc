import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buildWebApps } from '@survey/local/build-web-apps';
import { writePrivateFile } from '@survey/local/process/files';
import { toPaths } from '@survey/local/stack/folder';
import { root, runTool } from '../support/run-step.ts';

/** End-to-end tests that need the local stack, such as its log files, or a browser. */
const LOCAL = ['browser-page', 'docs', 'fuzz', 'hostile-imports', 'limits', 'metrics', 'provoked-logs', 'trace'];
const SUM_LINES = 6;

/** Lists the paths of the other end-to-end tests. Vitest has no option to leave out files of a project. */
export function listEndToEndTests(): readonly string[] {
  const local = LOCAL.map((name) => `${name}.e2e.test.ts`);
  const names = readdirSync(join(root, 'test/e2e')).filter((name) => name.endsWith('.test.ts'));
  return names.filter((name) => !local.includes(name)).map((name) => join('test/e2e', name));
}

interface Options {
  readonly folder: string;
  /** URL of the gateway. */
  readonly gateway: string;
  readonly receiverHost: string;
}

/** Runs the other end-to-end tests against the platform of this folder. Throws with the output if they fail. */
export async function runEndToEnd({ folder, gateway, receiverHost }: Options): Promise<void> {
  // Some tests start a gateway of their own.
  await buildWebApps(console.log);
  const variables = [`SURVEY_STACK=${folder}`, `SURVEY_RECEIVER_HOST=${receiverHost}`];
  const args = ['vitest', 'run', '--project', 'e2e', ...listEndToEndTests()];
  const { stackFile } = toPaths(folder);
  const info = await readFile(stackFile, 'utf8');
  const forward = await forwardFromLoopback(gateway);
  try {
    await writePrivateFile(stackFile, { ...JSON.parse(info), gateway: forward.url });
    const { passed, output } = await runTool('env', [...variables, ...args]);
    if (!passed) throw new Error(output);
    console.log(output.trimEnd().split('\n').slice(-SUM_LINES).join('\n'));
  } finally {
    forward.close();
    await writePrivateFile(stackFile, JSON.parse(info));
  }
}

/**
 * Forwards connections from this machine. Browsers treat pages of other machines without HTTPS as insecure: functions
 * such as `navigator.storage` are missing.
 */
async function forwardFromLoopback(url: string) {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    // An error ends both connections, as it would without the forward.
    pipeline(client, upstream, () => {});
    pipeline(upstream, client, () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
