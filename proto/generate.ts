// Makes everything that follows from the .proto files: code, and the API document.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const buf = (...args: string[]) =>
  execFileSync(join(here, '../node_modules/.bin/buf'), args, { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] });

buf('format', '-w');
buf('generate');
// Imported only now: it reads the code that was just generated.
const { buildOpenApi } = await import('@survey/runtime/rest/openapi');
const { catalog } = await import('./catalog.ts');
const descriptors = buf('build', '--as-file-descriptor-set', '-o', '-');
writeFileSync(
  join(here, 'gen/openapi.json'),
  `${JSON.stringify(buildOpenApi(Object.values(catalog).flat(), descriptors), null, 2)}\n`,
);
