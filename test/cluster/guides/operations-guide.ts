import { readShellBlocks } from '../../support/code-blocks.ts';
import { runInOperatorShell } from './runbook.ts';

const PAGE = 'docs/operations.md';
/** The guide runs Kafka's scripts on the reader's machine; here, they run in the pod of Kafka. */
const KAFKA_TOPICS =
  'kafka-topics.sh() { kubectl --namespace survey exec kafka-0 -- /opt/kafka/bin/kafka-topics.sh "$@"; }';

interface Reader {
  /** Folder for the files that the commands write. */
  readonly folder: string;
  /** Arguments of helm in place of the reader's values. */
  readonly values: readonly string[];
  /** The time in place of that of the example, as RFC 3339. */
  readonly time?: string;
}

/** Runs a block of commands, and returns its output. Throws if a command fails. */
type Step = () => Promise<string>;

/** Reads a section of the operations guide to run its blocks of commands as its reader would. */
export async function readGuide(section: string, { folder, values, time = '' }: Reader): Promise<readonly Step[]> {
  const blocks = await readShellBlocks(PAGE, section);
  return blocks.map((lines) => {
    const commands = lines
      .filter((line) => !line.endsWith('# only with KEDA'))
      .join('\n')
      .replaceAll('--values my-values.yaml', values.join(' '))
      .replaceAll(/(?<![\w-])keyring-\$service\.json/g, `${folder}/keyring-$service.json`)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, time)
      // The Kafka of trials needs no password.
      .replaceAll('--command-config client.properties ', '')
      .replaceAll('kafka:9093', 'kafka:9092');
    return () => runInOperatorShell(['set -e', KAFKA_TOPICS, commands].join('\n'));
  });
}
