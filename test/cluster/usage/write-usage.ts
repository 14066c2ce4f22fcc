// Writes the CPU and memory that the last run of `npm run test:cluster` measured into docs/operations.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../support/run-step.ts';
import { MEASUREMENT, withUsageTable } from './usage-table.ts';

const document = join(root, 'docs/operations.md');
const measured = JSON.parse(await readFile(MEASUREMENT, 'utf8'));
await writeFile(document, withUsageTable(await readFile(document, 'utf8'), measured));
