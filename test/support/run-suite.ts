import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { cacheDir } from '@survey/local/process/cache-dir';
import type { Outcome } from './run-checks.ts';
import { root, runTool } from './run-step.ts';

/** The results of vitest projects that ran together. */
export interface SuiteOutcome extends Outcome {
  /** The names of the projects. */
  readonly name: string;
  /** Wall-clock time in seconds. */
  readonly seconds: number;
  readonly files: readonly TestFile[];
}

export interface TestFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly seconds: number;
}

/** The used members of vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  /** The path of the test file. */
  readonly name: string;
  readonly status: string;
  /** The error if the file could not be loaded. */
  readonly message: string;
  /** Milliseconds, like `Date.now`. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** Lines of a failure's message in the summary; the test itself prints all. */
const MESSAGE_LINES = 12;

/**
 * Runs vitest projects with additional environment variables until `signal` aborts.
 *
 * @param options.show whether to print the output continuously, or at the end
 */
export async function runSuite(
  projects: readonly string[],
  {
    variables = {},
    show = true,
    signal,
  }: { readonly variables?: Readonly<Record<string, string>>; readonly show?: boolean; readonly signal: AbortSignal },
): Promise<SuiteOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-report-'));
  const report = join(folder, 'report.json');
  const selected = projects.flatMap((project) => ['--project', project]);
  const startedAt = performance.now();
  const { passed, output } = await runTool(
    'vitest',
    ['run', ...selected, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    // A compile cache, because tests start many processes of the same code.
    { show, env: { NODE_COMPILE_CACHE: join(cacheDir(), 'compiled'), ...variables }, signal },
  );
  if (!show) process.stdout.write(output);
  const common = { name: projects.join(', '), seconds: (performance.now() - startedAt) / 1_000 };
  try {
    const results: VitestReport = JSON.parse(await readFile(report, 'utf8'));
    return {
      ...common,
      passed: results.numPassedTests,
      // A file that cannot be loaded fails the run without a failed test.
      failed: passed ? results.numFailedTests : Math.max(1, results.numFailedTests),
      skipped: results.numPendingTests + results.numTodoTests,
      failures: results.testResults.flatMap(failuresOf),
      files: results.testResults.map(({ name, startTime, endTime }) => ({
        path: relative(root, name),
        seconds: (endTime - startTime) / 1_000,
      })),
    };
  } catch {
    // The runner itself failed and has printed the reason.
    return { ...common, passed: 0, failed: 1, skipped: 0, failures: [], files: [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function failuresOf({ name, status, message, assertionResults }: FileResult): string[] {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${file}\n  ${firstLines(message)}`];
  return failed.map(
    ({ fullName, failureMessages }) => `${file}: ${fullName}\n  ${firstLines(failureMessages.join('\n'))}`,
  );
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, MESSAGE_LINES).join('\n  ');
}
