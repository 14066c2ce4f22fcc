import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Filling {
  /** The folder for the tasks. */
  readonly folder: string;
  /** Numbers of the responses: `from` is included, `to` is not. */
  readonly from?: number;
  readonly to: number;
  /** Common settings of the processes. */
  readonly task: object;
}

const PROCESSES = 2;
const SCRIPT = fileURLToPath(new URL('../../../services/response/src/testing/fill-responses.ts', import.meta.url));

/** Creates encrypted responses with the service's own code, in several processes. */
export async function fillResponses({ folder, from: first = 0, to: end, task }: Filling): Promise<void> {
  const share = Math.ceil((end - first) / PROCESSES);
  const filled = Array.from({ length: PROCESSES }, async (_, index) => {
    const from = first + index * share;
    const to = Math.min(from + share, end);
    const file = join(folder, `fill-${index}.json`);
    await writeFile(file, JSON.stringify({ ...task, from, to }));
    const [code] = await once(fork(SCRIPT, [file]), 'exit');
    if (code !== 0) throw new Error(`cannot create responses: exit code ${code}`);
  });
  await Promise.all(filled);
}
