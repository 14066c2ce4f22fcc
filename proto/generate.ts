// Generates code, the API document, the JSON Schema of definitions, and clients, from the .proto files, the schema of
// definitions and the event catalog. Does nothing if no input or generated file has changed since the last run. Replaces
// only files whose content changes, each at once, so other processes never read half of a file.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const proto = import.meta.dirname;
const root = join(proto, '..');
const CACHE = join(root, 'node_modules/.cache');
/** The modules that the last run imported, and the digest of all its files. */
const RECORD = join(CACHE, 'generated.json');
/** The files that a run reads without an import, and those that it writes. */
const FILES = ['package-lock.json', 'proto/**/*.{proto,yaml,json,ts,js}', 'lib/{client,webhooks}/src/generated/*.ts'];
/** The files in `proto/gen` that are not made by buf. */
const DOCUMENTS = ['definition-1.0.json', 'openapi.d.ts', 'openapi.json'];

mkdirSync(CACHE, { recursive: true });
if (!isUnchanged()) {
  const folder = mkdtempSync(join(CACHE, 'generate-'));
  try {
    const modules = await generate(folder);
    writeFileSync(RECORD, JSON.stringify({ modules, digest: digestOf(modules) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Generates all files.
 *
 * @param folder for unfinished files
 * @returns the imported modules of this repository
 */
async function generate(folder: string): Promise<readonly string[]> {
  const modules = new Set<string>();
  registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith('file:') && !url.includes('/node_modules/')) modules.add(relative(root, fileURLToPath(url)));
      return nextLoad(url, context);
    },
  });
  const replace = (path: string, content: string | Buffer) => replaceFile(path, content, join(folder, 'unfinished'));

  buf('generate', '--output', folder);
  const listCode = (gen: string) => globSync('**/*.{js,ts}', { cwd: gen }).filter((name) => !DOCUMENTS.includes(name));
  const code = new Set(listCode(join(folder, 'gen')));
  for (const name of code) replace(join('proto/gen', name), readFileSync(join(folder, 'gen', name)));
  for (const name of listCode(join(proto, 'gen'))) if (!code.has(name)) rmSync(join(proto, 'gen', name));

  // Import late, because these modules read the code generated above.
  const { definitionJsonSchema } = await import('@survey/questionnaire/definition-json-schema');
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const { buildOpenApi } = await import('@survey/openapi/build-openapi');
  const { printClient } = await import('@survey/openapi/printing/print-client');
  const { printEventTypes } = await import('@survey/openapi/printing/print-event-types');
  const { catalog } = await import('./catalog.ts');
  const { eventTypes } = await import('../services/webhook/src/events/event-catalog.ts');
  const { toEventTypeMessage } = await import('../services/webhook/src/webhook-mapper.ts');

  const { identity, survey, response, import: imports, webhook } = catalog;
  const document = buildOpenApi({
    // In the order in which a new user reads the document.
    services: [...survey, ...response, ...imports, ...webhook, ...identity],
    descriptorSet: buf('build', '--as-file-descriptor-set', '-o', '-'),
    examples: readExamples(),
    events: eventTypes.map(toEventTypeMessage),
  });
  const clientFiles = Object.entries(printClient(toPlain(document)));
  const texts = {
    'proto/gen/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'proto/gen/openapi.d.ts': astToString(await openapiTypes(JSON.stringify(document))),
    'proto/gen/definition-1.0.json': `${JSON.stringify(definitionJsonSchema(), null, 2)}\n`,
    // The code of the packages for npm.
    ...Object.fromEntries(clientFiles.map(([name, text]) => [`lib/client/src/generated/${name}`, text])),
    'lib/webhooks/src/generated/events.ts': printEventTypes(toPlain(eventTypes)),
  };
  for (const [path, text] of Object.entries(texts)) replace(path, text);
  return [...modules];
}

function buf(...args: string[]): Buffer {
  const command = join(root, 'node_modules/.bin/buf');
  return execFileSync(command, args, { cwd: proto, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Replaces a file if its content changes. The unfinished file is on the same file system. */
function replaceFile(path: string, content: string | Buffer, unfinished: string): void {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  writeFileSync(unfinished, content);
  mkdirSync(dirname(file), { recursive: true });
  renameSync(unfinished, file);
  console.log(`generated ${path}`);
}

function isUnchanged(): boolean {
  if (!existsSync(RECORD)) return false;
  const { modules, digest } = JSON.parse(readFileSync(RECORD, 'utf8'));
  return digest === digestOf(modules);
}

function digestOf(modules: readonly string[]): string {
  const files = globSync(FILES, { cwd: root, exclude: (path) => path.includes('node_modules') });
  const hash = createHash('sha256').update(process.version);
  for (const path of new Set([...files, ...modules].toSorted())) {
    const file = join(root, path);
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : '');
  }
  return hash.digest('hex');
}

/** The parts of a value that JSON keeps, with the type that the reader expects. */
function toPlain<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value));
}

/** Merges all files of examples. */
function readExamples() {
  const paths = globSync('examples/*.json', { cwd: proto }).toSorted();
  const parts = paths.map((path) => JSON.parse(readFileSync(join(proto, path), 'utf8')));
  const all = (member: string) => Object.assign({}, ...parts.map((part) => part[member]));
  return {
    records: all('records'),
    operations: all('operations'),
    parameters: all('parameters'),
    problems: all('problems'),
  };
}
