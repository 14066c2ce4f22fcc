// Generates code, the API document, the JSON Schema of definitions, and clients, from the .proto files, the schema of
// definitions and the event catalog.
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
const { toEventTypeMessage } = await import('../services/webhook/src/webhook-mapper.ts');
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

// The code of the packages for npm.
const { printClient } = await import('@survey/openapi/print-client');
const { printEventTypes } = await import('@survey/openapi/print-event-types');
const library = (name: string) => join(here, '../lib', name, 'src/generated');
for (const [name, text] of Object.entries(printClient(toPlain(document))))
  writeFileSync(join(library('client'), name), text);
writeFileSync(join(library('webhooks'), 'events.ts'), printEventTypes(toPlain(eventTypes)));

/** The parts of a value that JSON keeps, with the type that the reader expects. */
function toPlain<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value));
}

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
