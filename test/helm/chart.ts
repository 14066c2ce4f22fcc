import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../support/run-step.ts';
import { type ChartTools, runProgram } from './tools.ts';

/** An object of Kubernetes, as far as tests look at it. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  // Its form is that of its kind, which kubeconform checks.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly [member: string]: any;
}

/** Values that the chart is rendered with: a name for people, and arguments of helm. */
export const variants: Readonly<Record<string, readonly string[]>> = {
  'as it is': [],
  'the example for a laptop': ['--values', 'helm/examples/laptop.yaml'],
  'the example for production': ['--values', 'helm/examples/production.yaml'],
  'everything that can be switched on': ['--values', 'test/helm/everything.yaml'],
  'everything that can be switched off': ['--values', 'test/helm/nothing.yaml'],
};

/** The release `survey` as text. Throws with what helm says when it cannot be rendered. */
export async function renderText({ helm }: ChartTools, args: readonly string[]): Promise<string> {
  const command = ['template', 'survey', 'helm', '--namespace', 'survey', ...args];
  const { code, output, errors } = await runProgram(helm, command);
  if (code !== 0) throw new Error(errors);
  return output;
}

/** The objects of the release `survey`. */
export async function renderChart(tools: ChartTools, args: readonly string[]): Promise<readonly KubernetesObject[]> {
  const documents = parseAllDocuments(await renderText(tools, args));
  // What is nothing but comments is null.
  return documents.flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);
}

/** What the chart's picture of the platform says of a part. */
export interface Edge {
  readonly calls?: Readonly<Record<string, readonly string[]>>;
  readonly outside?: readonly string[];
}

/** The picture: who opens connections to whom. */
export async function loadEdges(): Promise<Readonly<Record<string, Edge>>> {
  return loadYaml('helm/files/edges.yaml');
}

/** A YAML file, from the root of the repository. The caller says what is in it. */
export async function loadYaml<T>(path: string): Promise<T> {
  return parse(await readFile(join(root, path), 'utf8')) as T;
}
