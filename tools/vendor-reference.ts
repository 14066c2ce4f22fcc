import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { runCommandLine } from '@survey/local/process/command-line';

/** The origin of the vendored file: a file of an npm package. */
interface Vendored {
  readonly package: string;
  readonly version: string;
  /** Hash of the package, as in a lock file. */
  readonly integrity: string;
  readonly file: string;
  readonly sha256: string;
}

const FOLDER = join(import.meta.dirname, '../gateway/vendor/scalar');
const RECORD = join(FOLDER, 'vendored.json');
const USAGE = `Usage: npm run vendor:reference [-- --update VERSION]

Fetches the package of the API reference, and compares its script with gateway/vendor/scalar.
  --update VERSION  replaces the script by that of another version
`;

const run = promisify(execFile);

/** Fetches a version of the package. */
async function fetchPackage(name: string, version: string, file: string): Promise<Vendored & { script: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-'));
  try {
    const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', folder]);
    const [{ filename, integrity }] = JSON.parse(stdout);
    await run('tar', ['-xzf', join(folder, filename), '-C', folder, `package/${file}`]);
    const script = await readFile(join(folder, 'package', file));
    return { package: name, version, integrity, file, sha256: sha256Of(script), script };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

await runCommandLine({
  usage: USAGE,
  options: { update: { type: 'string' } },
  run: ({ values: { update } }) => compare(update),
});

/** @param update the version that replaces the script first; undefined to compare only */
async function compare(update: string | undefined): Promise<void> {
  const record = await readRecord();
  const path = join(FOLDER, basename(record.file));
  const { script, ...published } = await fetchPackage(record.package, update ?? record.version, record.file);
  if (update !== undefined) {
    await writeFile(path, script);
    await writeFile(RECORD, `${JSON.stringify(published, undefined, 2)}\n`);
  }
  const stored = { ...(await readRecord()), sha256: sha256Of(await readFile(path)) };
  const differences = Object.entries(published).filter(([member, value]) => stored[member as keyof Vendored] !== value);
  for (const [member, value] of differences) process.stderr.write(`${member}: ${value} is published\n`);
  if (differences.length > 0) process.exitCode = 1;
  else process.stdout.write(`${path} is ${stored.file} of ${stored.package} ${stored.version}\n`);
}

async function readRecord(): Promise<Vendored> {
  return JSON.parse(await readFile(RECORD, 'utf8'));
}
