// Writes what the chart has from elsewhere: the table of values in its README, the alerts of deploy/prometheus.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/run-step.ts';
import { generatedFiles } from './generated-files.ts';

for (const [path, content] of Object.entries(await generatedFiles())) await writeFile(join(root, path), content);
