// Writes the table of values into the README of the chart.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/run-step.ts';
import { generatedFiles } from './generated-files.ts';

for (const [path, content] of Object.entries(await generatedFiles())) await writeFile(join(root, path), content);
