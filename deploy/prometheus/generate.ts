// `node deploy/prometheus/generate.ts` writes the rules of an installation with the default values, for a Prometheus
// without the operator. A test fails if they are outdated.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { renderRules } from './render-rules.ts';

const read = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8');
const rules = renderRules(await read('helm/files/rules.yaml'), await read('helm/values.yaml'));
const heading =
  '# Made by `node deploy/prometheus/generate.ts` from helm/files/rules.yaml and the values of the chart.\n';
await writeFile(join(import.meta.dirname, 'rules.yaml'), heading + stringify(rules, { lineWidth: 0 }));
