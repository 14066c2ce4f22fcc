// Generates code, the API document, the JSON Schema of definitions and the types of its client from the .proto files.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionJsonSchema } from '@survey/questionnaire/definition-json-schema';
import openapiTypes, { astToString } from 'openapi-typescript';

const here = import.meta.dirname;
const buf = (...args: string[]) =>
  execFileSync(join(here, '../node_modules/.bin/buf'), args, { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] });

buf('format', '-w');
buf('generate');
// Import late, because it reads the code generated above.
const { buildOpenApi } = await import('@survey/openapi/build-openapi');
const { catalog } = await import('./catalog.ts');
const { eventTypes } = await import('../services/webhook/src/events/event-catalog.ts');
const { toEventTypeMessage } = await import('../services/webhook/src/handlers/event-type-mapper.ts');
const descriptors = buf('build', '--as-file-descriptor-set', '-o', '-');
const { identity, survey, response, import: imports, webhook } = catalog;
// In the order in which a new user reads the document.
const services = [...survey, ...response, ...imports, ...webhook, ...identity];
const document = buildOpenApi({
  services,
  descriptorSet: descriptors,
  examples: readExamples(),
  events: eventTypes.map(toEventTypeMessage),
});
writeFileSync(join(here, 'gen/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(join(here, 'gen/definition-1.0.json'), `${JSON.stringify(definitionJsonSchema(), null, 2)}\n`);
writeFileSync(join(here, 'gen/openapi.d.ts'), astToString(await openapiTypes(JSON.stringify(document))));
const { printClient } = await import('@survey/openapi/print-client');
const client = join(here, '../lib/client/src/generated');
for (const [name, text] of Object.entries(printClient(JSON.parse(JSON.stringify(document)))))
  writeFileSync(join(client, name), text);

/** Merges all files of examples. */
function readExamples() {
  const folder = join(here, 'examples');
  const parts = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const all = (member: string) => Object.assign({}, ...parts.map((part) => part[member]));
  return {
    records: all('records'),
    operations: all('operations'),
    parameters: all('parameters'),
    problems: all('problems'),
  };
}
