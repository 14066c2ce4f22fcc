import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractAt, findContractBase } from './contract-base.ts';
import { root, runTool, type StepResult } from './run-step.ts';

/** A check of the sources, without anything running. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

export const checks: readonly Check[] = [
  { name: 'generated code is up to date', run: checkGenerated },
  { name: 'buf lint', run: () => runTool('buf', ['lint'], { cwd: join(root, 'proto') }) },
  { name: 'buf breaking', run: checkBreaking },
  { name: 'format and lint (biome)', run: () => runTool('biome', ['ci', '--error-on-warnings', '--colors=off', '.']) },
  { name: 'types (tsc)', run: () => runTool('tsc', ['-p', 'tsconfig.json']) },
  { name: 'imports and promises (oxlint)', run: () => runTool('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'unused code (knip)', run: () => runTool('knip', []) },
  { name: 'lock file fits the packages', run: () => runTool('npm', ['ci', '--dry-run', '--ignore-scripts']) },
];

/** Generates anew and tells whether anything came out differently; what did is left there to be committed. */
async function checkGenerated(): Promise<StepResult> {
  const before = digest();
  const generated = await runTool(process.execPath, [join(root, 'proto/generate.ts')]);
  if (!generated.passed) return generated;
  const passed = before === digest();
  return { passed, output: passed ? '' : 'proto/ was out of date and is generated anew: commit it\n' };
}

async function checkBreaking(): Promise<StepResult> {
  const base = await findContractBase();
  if (base === undefined) return { passed: true, output: '' };
  return runTool('buf', ['breaking', '--against', contractAt(base)], { cwd: join(root, 'proto') });
}

function digest(): string {
  const hash = createHash('sha256');
  const folder = join(root, 'proto');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(proto|js|d\.ts|json)$/.test(name) && !name.startsWith('node_modules'))
      hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}
