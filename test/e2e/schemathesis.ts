import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { download } from '@survey/local/infra/cache';

const run = promisify(execFile);

/** Its packages with pinned versions. */
const REQUIREMENTS = join(import.meta.dirname, 'schemathesis-requirements.txt');
const VERSION = '4.32.5';
/** Limit of its output. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Sends valid and invalid requests derived from an OpenAPI document, and checks the replies. */
export interface Schemathesis {
  /** Returns the output. Rejects with the output if it found problems. It can write files into the folder. */
  run(args: readonly string[], folder: string): Promise<string>;
}

/** Installs it into the cache folder. Rejects without Python, pip or access to the packages. */
export async function prepareSchemathesis(log: (line: string) => void): Promise<Schemathesis> {
  // Some packages are compiled for one version of Python.
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
