// `npm test` runs all checks and suites, and a part of the long tests. `npm run test:all` runs everything, `npm run
// test:chaos` all fault tests.
import { join } from 'node:path';
import { findChartTools } from './helm/tools.ts';
import { runChecks } from './support/run-checks.ts';
import { root, runTool } from './support/run-step.ts';
import { runSuite, type SuiteOutcome } from './support/run-suite.ts';
import { startTestStack } from './support/test-stack.ts';

const SLOWEST_FILES = 20;
const SOAK_MINUTES = 10;

const stopping = new AbortController();
// Stops the running suite, cleans up, and fails the run. Ctrl-C can arrive twice: from the terminal, and from npm.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
const { signal } = stopping;

const mode = process.argv[2];
const isShort = mode === undefined;
const isChaos = mode === 'chaos';
if (!isShort) process.env['TEST_SCOPE'] = 'all';
const faultSuites = isShort ? ['faults'] : ['faults', 'chaos'];
/** The suites that need the platform. */
const stackSuites = isChaos ? faultSuites : [...faultSuites, 'e2e', 'clients'];

/** Checks the chart if the tools are installed. */
async function runChartSuite(): Promise<SuiteOutcome> {
  const tools = findChartTools();
  if (typeof tools !== 'string') return runSuite(['helm'], { signal });
  console.log(tools);
  return { name: 'helm', seconds: 0, passed: 0, failed: 0, skipped: 1, failures: [], files: [] };
}

/** Runs the suites that need the platform on one stack, and scans its logs for private data. */
async function runStackSuites(): Promise<readonly SuiteOutcome[]> {
  const startedAt = performance.now();
  const outcomes: SuiteOutcome[] = [];
  const toOutcome = (failures: readonly string[]): SuiteOutcome => {
    const ofSuites = outcomes.reduce((sum, { seconds }) => sum + seconds, 0);
    const seconds = (performance.now() - startedAt) / 1_000 - ofSuites;
    return {
      name: 'start, stop and logs of the stack',
      seconds,
      passed: 0,
      failed: failures.length,
      skipped: 0,
      failures,
      files: [],
    };
  };
  try {
    const stack = await startTestStack(signal);
    try {
      const { variables } = stack;
      // Beside other suites, show the output at the end.
      for (const name of stackSuites) outcomes.push(await runSuite([name], { variables, show: !isShort, signal }));
    } finally {
      await stack.stop();
    }
    return [...outcomes, toOutcome([])];
  } catch (error) {
    return [...outcomes, toOutcome([`the stack of the tests: ${error instanceof Error ? error.message : error}`])];
  }
}

/** Runs two replicas of every process under faults. The printed seed reproduces them. */
async function runSoak(): Promise<SuiteOutcome> {
  const startedAt = performance.now();
  const args = [join(root, 'test/soak/main.ts'), '--minutes', String(SOAK_MINUTES)];
  const { passed } = await runTool(process.execPath, args, { show: true, signal });
  const seconds = (performance.now() - startedAt) / 1_000;
  const failures = passed ? [] : ['npm run soak: see its summary above'];
  return { name: 'soak', seconds, passed: passed ? 1 : 0, failed: failures.length, skipped: 0, failures, files: [] };
}

function printSlowest(suites: readonly SuiteOutcome[]): void {
  const files = suites.flatMap((suite) => suite.files).toSorted((one, other) => other.seconds - one.seconds);
  console.log(`\nThe ${SLOWEST_FILES} slowest files, in seconds`);
  for (const { path, seconds } of files.slice(0, SLOWEST_FILES))
    console.log(`${seconds.toFixed(1).padStart(7)}  ${path}`);
}

function printSuites(suites: readonly SuiteOutcome[]): void {
  console.log('\nThe suites: seconds, files, tests');
  for (const { name, seconds, files, passed, failed } of suites) {
    const columns = [
      seconds.toFixed(0).padStart(7),
      String(files.length).padStart(5),
      String(passed + failed).padStart(6),
    ];
    console.log(`${columns.join('')}  ${name}`);
  }
}

async function runChecksAsSuite(onGenerated: () => void): Promise<SuiteOutcome> {
  const startedAt = performance.now();
  const outcome = await runChecks({ signal, onGenerated });
  return { ...outcome, name: 'checks', seconds: (performance.now() - startedAt) / 1_000, files: [] };
}

/** Runs everything, one suite after the other, because long tests need the whole machine. */
async function runAll(): Promise<readonly SuiteOutcome[]> {
  return [
    await runChecksAsSuite(() => {}),
    await runSuite(['unit', 'integration', 'isolated'], { signal }),
    await runChartSuite(),
    ...(await runStackSuites()),
    await runSoak(),
  ];
}

/** Runs the short suites, two at a time, because they wait often. Both sequences take about as long. */
async function runShort(): Promise<readonly SuiteOutcome[]> {
  const generated = Promise.withResolvers<void>();
  const checks = runChecksAsSuite(generated.resolve);
  const first = async () => [await checks, await runSuite(['integration', 'isolated'], { signal })];
  const second = async () => {
    // Unit tests and the platform read generated files.
    await Promise.race([generated.promise, checks]);
    const unit = await runSuite(['unit'], { show: false, signal });
    return [unit, ...(await runStackSuites()), await runChartSuite()];
  };
  return (await Promise.all([first(), second()])).flat();
}

function runSuites(): Promise<readonly SuiteOutcome[]> {
  if (isChaos) return runStackSuites();
  return isShort ? runShort() : runAll();
}

const suites = await runSuites();
printSlowest(suites);
printSuites(suites);
for (const failure of suites.flatMap(({ failures }) => failures)) console.log(`✗ ${failure}`);
const sum = (count: 'passed' | 'failed' | 'skipped') => suites.reduce((total, suite) => total + suite[count], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
