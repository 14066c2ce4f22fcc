import { join } from 'node:path';
import { contractAt, findContractBase } from './contract-base.ts';
import { listTests } from './list-tests.ts';
import { root, runTool, type StepResult } from './run-step.ts';

/** A check of source files, which needs no running services. */
export interface Check {
  readonly name: string;
  /** Matches the paths of files that determine the result. A check without inputs depends on more than files. */
  readonly inputs?: RegExp;
  /** @param signal ends the check early, which fails then */
  readonly run: (signal?: AbortSignal) => Promise<StepResult>;
}

/** Runs first, because other checks read the generated files. Does not end early: files would be missing. */
export const generatedCheck: Check = {
  name: 'generated code',
  run: () => runTool(process.execPath, [join(root, 'proto/generate.ts')], { show: true }),
};

const LINT_FOLDER = 'test/lint';
const CONTRACT_RULES = 'contract-rules.test.ts';
const PROMTOOL = 'promtool.test.ts';

/** Run concurrently, because they change no files; the slowest come first. */
export const checks: readonly Check[] = [
  { name: 'types (tsc)', inputs: /./, run: (signal) => runTool('tsc', ['-p', 'tsconfig.json'], { signal }) },
  {
    name: 'alerts (promtool)',
    inputs: /^(deploy\/prometheus|test\/(lint|support))\//,
    run: (signal) => runLint([join(LINT_FOLDER, PROMTOOL)], signal),
  },
  ...['console', 'respond'].map((app) => ({
    name: `types of web/${app} (tsc)`,
    inputs: /^(web|lib\/(client|questionnaire)|package-lock\.json|tsconfig\.json)/,
    run: (signal?: AbortSignal) => runTool('tsc', ['-p', `web/${app}`], { signal }),
  })),
  {
    name: 'imports and promises (oxlint)',
    inputs: /./,
    run: (signal) => runTool('oxlint', ['--type-aware', '--deny-warnings'], { signal }),
  },
  {
    name: 'documents and rules (test/lint)',
    inputs: /./,
    run: (signal) => runLint(listTests(LINT_FOLDER, { without: [CONTRACT_RULES, PROMTOOL] }), signal),
  },
  {
    name: 'rules of the contract (test/lint)',
    inputs: /^(proto|test\/(lint|support))\//,
    run: (signal) => runLint([join(LINT_FOLDER, CONTRACT_RULES)], signal),
  },
  { name: 'unused code (knip)', inputs: /./, run: (signal) => runTool('knip', [], { signal }) },
  {
    name: 'format and lint (biome)',
    inputs: /./,
    run: (signal) => runTool('biome', ['ci', '--error-on-warnings', '--colors=off', '.'], { signal }),
  },
  { name: 'buf breaking', run: checkBreaking },
  {
    name: 'buf lint',
    inputs: /^proto\//,
    run: (signal) => runTool('buf', ['lint'], { cwd: join(root, 'proto'), signal }),
  },
  {
    name: 'format of the contract (buf)',
    inputs: /^proto\//,
    run: (signal) => runTool('buf', ['format', '--diff', '--exit-code'], { cwd: join(root, 'proto'), signal }),
  },
  {
    name: 'lock file fits the packages',
    inputs: /package(-lock)?\.json$/,
    run: (signal) => runTool('npm', ['ci', '--dry-run', '--ignore-scripts'], { signal }),
  },
];

function runLint(paths: readonly string[], signal: AbortSignal | undefined): Promise<StepResult> {
  return runTool('vitest', ['run', '--project', 'lint', '--reporter=dot', ...paths], { signal });
}

async function checkBreaking(signal?: AbortSignal): Promise<StepResult> {
  const base = await findContractBase();
  if (base === undefined) return { passed: true, output: '' };
  return runTool('buf', ['breaking', '--against', contractAt(base)], { cwd: join(root, 'proto'), signal });
}
