// Everything that `npm test` runs. At the end stand all failures again, and in the last line the sum over all suites.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findChartTools } from './helm/tools.ts';
import { type Outcome, runChecks } from './support/run-checks.ts';
import { root, runTool } from './support/run-step.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    /** Path of the test file. */
    readonly name: string;
    readonly status: string;
    /** Why the file could not be loaded. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Lines of a failure's message that the sum repeats; all of it stands where the test ran. */
const MESSAGE_LINES = 12;

function failuresOf({ testResults }: VitestReport): string[] {
  const said = (message: string) => message.split('\n').slice(0, MESSAGE_LINES).join('\n  ');
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0 && status === 'failed') {
      return [`${file}\n  ${said(message)}`];
    }
    return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n  ${said(failureMessages.join('\n'))}`);
  });
}

async function runSuites(...projects: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-report-'));
  const report = join(folder, 'report.json');
  const selected = projects.flatMap((project) => ['--project', project]);
  const { passed } = await runTool(
    'vitest',
    ['run', ...selected, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { show: true },
  );
  try {
    const results: VitestReport = JSON.parse(await readFile(report, 'utf8'));
    // A file that cannot be loaded, or an error outside of tests, fails the run without a failed test.
    const failed = passed ? results.numFailedTests : Math.max(1, results.numFailedTests);
    return {
      passed: results.numPassedTests,
      failed,
      skipped: results.numPendingTests + results.numTodoTests,
      failures: failuresOf(results),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [] }; // the runner itself broke and has said why
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The chart is checked where the programs for it are. */
async function runChartSuites(): Promise<Outcome> {
  const tools = findChartTools();
  if (typeof tools !== 'string') return runSuites('helm');
  console.log(tools);
  return { passed: 0, failed: 0, skipped: 1, failures: [] };
}

const parts = [
  await runChecks(),
  await runSuites('unit', 'integration'),
  await runChartSuites(),
  await runSuites('e2e'),
  await runSuites('faults'),
];
for (const failure of parts.flatMap((part) => part.failures)) {
  console.log(`✗ ${failure}`);
}
const sum = (count: 'passed' | 'failed' | 'skipped') => parts.reduce((total, part) => total + part[count], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
