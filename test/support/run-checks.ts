import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, checks, generatedCheck } from './checks.ts';
import { digestOf, listSources } from './input-digest.ts';
import { root } from './run-step.ts';

/** The results of tests or checks. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The names of failures with the beginning of their messages. */
  readonly failures: readonly string[];
}

/** A cache of passed checks with the digest of their inputs, which a new `npm install` deletes. */
const CACHE = join(root, 'node_modules/.cache/survey-checks');
/** Low, because each check can use more than one core. */
const CONCURRENCY = 2;

interface CheckOptions {
  readonly signal?: AbortSignal;
  readonly onGenerated?: () => void;
}

/**
 * Runs every check whose inputs have changed since it passed. Prints each result, and the output of failures.
 *
 * @param options.signal ends running checks: they and those that wait fail
 * @param options.onGenerated is called when no more files change
 */
export async function runChecks({ signal, onGenerated }: CheckOptions = {}): Promise<Outcome> {
  const generated = await runCheck(generatedCheck, undefined);
  onGenerated?.();
  // List files after the generator, which can write some.
  const sources = await listSources();
  const waiting = [...checks];
  const results = [generated];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.push(await runCheck(next, sources, { signal }));
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const failures = results.flatMap(({ name, passed }) => (passed ? [] : [name]));
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures };
}

/**
 * Runs a check unless its inputs are unchanged since it passed.
 *
 * @param sources paths of all files; undefined if unknown
 */
export async function runCheck(
  check: Check,
  sources: readonly string[] | undefined,
  { cache = CACHE, signal }: { readonly cache?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<{ readonly name: string; readonly passed: boolean }> {
  const { name, run } = check;
  const startedAt = performance.now();
  const file = join(cache, name.replace(/\W+/g, '-'));
  const digest = digestOfInputs(check, sources);
  if (digest !== undefined && digest === (await readFile(file, 'utf8').catch(() => undefined))) {
    console.log(`✓ ${name} (unchanged)`);
    return { name, passed: true };
  }
  const { passed, output } = await run(signal);
  console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  if (!passed) console.log(output);
  if (passed && digest !== undefined) {
    await mkdir(cache, { recursive: true });
    await writeFile(file, digest);
  }
  return { name, passed };
}

/** Undefined if the result depends on more than files, or the files are unknown. */
function digestOfInputs({ inputs }: Check, sources: readonly string[] | undefined): string | undefined {
  if (inputs === undefined || sources === undefined) return undefined;
  // The lock file determines the versions of tools.
  const paths = sources.filter((path) => inputs.test(path) || path === 'package-lock.json');
  return `${process.version} ${digestOf(paths)}`;
}
