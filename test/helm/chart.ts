import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../support/run-step.ts';
import { type ChartTools, runProgram } from './tools.ts';

/** The members of a Kubernetes object that tests use. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: kubeconform checks the members
  readonly [member: string]: any;
}

/** Variants of values for rendering: a name and arguments of helm. */
export const variants: Readonly<Record<string, readonly string[]>> = {
  'as it is': [],
  'the example for a laptop': ['--values', 'helm/examples/laptop.yaml'],
  'the example for production': ['--values', 'helm/examples/production.yaml'],
  'the examples for OpenShift and KEDA': [
    ...['--values', 'helm/examples/openshift.yaml'],
    ...['--values', 'helm/examples/keda.yaml'],
  ],
  'everything that can be switched on': ['--values', 'test/helm/everything.yaml'],
  'everything that can be switched off': ['--values', 'test/helm/nothing.yaml'],
};

/** Renders the release `survey` as text. Throws with the error of helm. */
export async function renderText({ helm }: ChartTools, args: readonly string[]): Promise<string> {
  const command = ['template', 'survey', 'helm', '--namespace', 'survey', ...args];
  const { code, output, errors } = await runProgram(helm, command);
  if (code !== 0) throw new Error(errors);
  return output;
}

/** Renders the objects of the release `survey`. */
export async function renderChart(tools: ChartTools, args: readonly string[]): Promise<readonly KubernetesObject[]> {
  const documents = parseAllDocuments(await renderText(tools, args));
  // A document with only comments is null.
  return documents.flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);
}

/** The connections of a process, as declared in the chart. */
export interface Edge {
  readonly calls?: Readonly<Record<string, readonly string[]>>;
  readonly outside?: readonly string[];
}

/** Loads the declared connections between processes. */
export async function loadEdges(): Promise<Readonly<Record<string, Edge>>> {
  return loadYaml('helm/files/edges.yaml');
}

/** Loads a YAML file by its path from the root. The caller declares its type. */
export async function loadYaml<T>(path: string): Promise<T> {
  return parse(await readFile(join(root, path), 'utf8')) as T;
}
