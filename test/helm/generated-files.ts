import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/run-step.ts';
import { withValuesTable } from './values-table.ts';

/** Files of the chart that are made of others, by their paths, as they should be. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const rules = await read('deploy/prometheus/rules.yaml').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return {
    'helm/README.md': withValuesTable(await read('helm/README.md'), await read('helm/values.yaml')),
    // A chart takes nothing from outside of its folder.
    ...(rules === undefined ? {} : { 'helm/files/rules.yaml': rules }),
  };
}
