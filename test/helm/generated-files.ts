import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/run-step.ts';
import { withValuesTable } from './values-table.ts';

/** The generated files of the chart, by path. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  return { 'helm/README.md': withValuesTable(await read('helm/README.md'), await read('helm/values.yaml')) };
}
