import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { download } from '@survey/local/infra/cache';

const run = promisify(execFile);

/** Every package that it takes, in one version. */
const REQUIREMENTS = join(import.meta.dirname, 'schemathesis-requirements.txt');
const VERSION = '4.32.5';
/** What it says of what it found. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Sends requests that follow from an OpenAPI document, and such as do not, and looks at the answers. */
export interface Schemathesis {
  /** Gives what it says; an error with that when it found something. It may leave files in the folder. */
  run(args: readonly string[], folder: string): Promise<string>;
}

/** Installs it into the cache folder. Rejects where there is no Python, or no pip, or nothing to be had. */
export async function prepareSchemathesis(log: (line: string) => void): Promise<Schemathesis> {
  // Some of its packages are compiled, each for one version of Python.
  const { stdout } = await run('python3', ['-c', 'import sys; print("%d%d" % sys.version_info[:2])']);
  const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
  const folder = await download({
    name: `schemathesis-${VERSION}-python${stdout.trim()}`,
    fetch: async (into) => {
      await run('python3', ['-m', 'pip', 'install', ...options, '--target', into, '--requirement', REQUIREMENTS]);
    },
    log,
  });
  return {
    async run(args, workFolder) {
      const { stdout: said } = await run('python3', [join(folder, 'bin/schemathesis'), ...args], {
        cwd: workFolder,
        env: { ...process.env, PYTHONPATH: folder },
        maxBuffer: MAX_OUTPUT_BYTES,
      }).catch((error: { readonly stdout?: string; readonly stderr?: string }) => {
        throw new Error(`${error.stdout}${error.stderr}`, { cause: error });
      });
      return said;
    },
  };
}
