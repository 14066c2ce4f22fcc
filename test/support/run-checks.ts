import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, checks, generatedCheck } from './checks.ts';
import { digestOf, listSources } from './input-digest.ts';
import { root } from './run-step.ts';

/** The results of tests, or of checks. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed: its name, and the beginning of why. */
  readonly failures: readonly string[];
}

/** Checks of files that passed: the digest of their inputs by check. A new install of the packages forgets them. */
const CACHE = join(root, 'node_modules/.cache/survey-checks');
/** Each uses more than one core for a part of its time. */
const AT_A_TIME = 2;

/** Runs every check whose inputs have changed since it passed last; prints each result, and the output of a failed one. */
export async function runChecks(): Promise<Outcome> {
  const generated = await runCheck(generatedCheck, await listSources());
  // The generator may have written files.
  const sources = await listSources();
  const waiting = [...checks];
  const results = [generated];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.push(await runCheck(next, sources));
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const failures = results.flatMap(({ name, passed }) => (passed ? [] : [name]));
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures };
}

/**
 * Runs a check unless its inputs are as they were when it passed last.
 * @param sources paths of all files of the project; undefined when nobody knows them
 * @param cache folder that keeps what passed
 */
export async function runCheck(
  check: Check,
  sources: readonly string[] | undefined,
  cache = CACHE,
): Promise<{ readonly name: string; readonly passed: boolean }> {
  const { name, run } = check;
  const startedAt = performance.now();
  const file = join(cache, name.replace(/\W+/g, '-'));
  const digest = digestOfInputs(check, sources);
  if (digest !== undefined && digest === (await readFile(file, 'utf8').catch(() => undefined))) {
    console.log(`✓ ${name} (unchanged)`);
    return { name, passed: true };
  }
  const { passed, output } = await run();
  console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  if (!passed) console.log(output);
  if (passed && digest !== undefined) {
    await mkdir(cache, { recursive: true });
    await writeFile(file, digest);
  }
  return { name, passed };
}

/** Undefined when more than files decides the result, or when nobody knows which files there are. */
function digestOfInputs({ inputs }: Check, sources: readonly string[] | undefined): string | undefined {
  if (inputs === undefined || sources === undefined) return undefined;
  // The lock file decides the versions of the tools.
  const paths = sources.filter((path) => inputs.test(path) || path === 'package-lock.json');
  return `${process.version} ${digestOf(paths)}`;
}
