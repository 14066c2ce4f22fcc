// `node deploy/grafana/generate.ts` writes the JSON of the dashboards into the chart. A test fails if it is outdated.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delivery } from './delivery.ts';
import { ingest } from './ingest.ts';
import { toGrafana } from './panels.ts';
import { platform } from './platform.ts';

for (const dashboard of [platform, ingest, delivery]) {
  const file = join(import.meta.dirname, '../../helm/files/dashboards', `${dashboard.name}.json`);
  await writeFile(file, `${JSON.stringify(toGrafana(dashboard), undefined, 2)}\n`);
}
