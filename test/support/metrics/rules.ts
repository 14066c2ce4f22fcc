import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { linesOfBlocks } from '../code-blocks.ts';
import { root } from '../run-step.ts';

interface Common {
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Recording extends Common {
  readonly record: string;
}

interface Alert extends Common {
  readonly alert: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The rules of an installation with the default values. */
export const rulesFile = join(root, 'deploy/prometheus/rules.yaml');

/** Reads the Prometheus rules. */
export async function readRules(): Promise<{
  readonly recordings: readonly Recording[];
  readonly alerts: readonly Alert[];
}> {
  const { groups } = parse(await readFile(rulesFile, 'utf8'));
  // promtool checks the format.
  const rules: readonly (Recording | Alert)[] = groups.flatMap((group: { rules: unknown }) => group.rules);
  return {
    recordings: rules.filter((rule): rule is Recording => 'record' in rule),
    alerts: rules.filter((rule): rule is Alert => 'alert' in rule),
  };
}

/** The queries of the runbook: each line of its `promql` blocks, with the alert that it belongs to. */
export async function readRunbookQueries(): Promise<readonly (readonly [alert: string, expr: string])[]> {
  const text = await readFile(join(root, 'docs/runbook.md'), 'utf8');
  return text.split(/^### /m).flatMap((section) => {
    const [alert = ''] = section.split('\n');
    return linesOfBlocks(section, 'promql').map((expr) => [alert, expr] as const);
  });
}
