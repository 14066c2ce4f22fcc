import { join } from 'node:path';
import { root } from '../../support/run-step.ts';

/** The average usage of the pods of a process. */
export interface Usage {
  /** In thousandths of a core. */
  readonly cpu: number;
  /** Working set in MiB. */
  readonly memory: number;
}

/** The usage of a process under load, as one run measured it. */
export interface MeasuredProcess extends Usage {
  readonly name: string;
  readonly replicas: number;
}

/** The file in which a run keeps its measurement. */
export const MEASUREMENT = join(root, '.cache/cluster-usage.json');

const BEGIN = '<!-- usage: made by node test/cluster/usage/write-usage.ts -->';
const END = '<!-- end of usage -->';
const TRIAL: Readonly<Record<string, string>> = { mongodb: 'MongoDB (trial)', kafka: 'Kafka (trial)' };

/** Replaces the table of CPU and memory in a document. Throws if the document has no place for it. */
export function withUsageTable(document: string, processes: readonly MeasuredProcess[]): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the document has no ${BEGIN} or ${END}`);
  const rows = processes.map(
    ({ name, replicas, cpu, memory }) => `| ${TRIAL[name] ?? name} | ${replicas} | ${cpu}m | ${memory} MiB |`,
  );
  const head = '| pod | replicas | CPU | memory |\n|---|---|---|---|';
  return `${before}${BEGIN}\n\n${head}\n${rows.join('\n')}\n\n${END}${after}`;
}
