// `npm run soak -- --minutes 10 --seed 1`: see CONTRIBUTING.md.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OptionValues, runCommandLine, UsageError } from '@survey/local/process/command-line';
import { toPaths } from '@survey/local/stack/folder';
import type { Violation } from './ledger.ts';
import { runSoak, type SoakOutcome } from './soak.ts';

const USAGE = `npm run soak -- [--minutes 10] [--seed N] [--rate 30]

Starts two replicas of every process and sends requests while it kills and stalls processes, cuts connections, and stops
MongoDB and Kafka. Then compares acknowledged writes with stored and delivered ones.

  --minutes N   duration of the faults (default 10)
  --seed N      determines the order and times of faults (default: random; it is printed)
  --rate N      requests per second of all clients together (default 30)
  --help        print this text
`;

/** Maximum number of printed violations per kind. */
const MOST_PRINTED = 10;

interface Arguments {
  readonly minutes: number;
  readonly seed: number;
  readonly rate: number;
}

const text = { type: 'string' } as const;
const options = { minutes: text, seed: text, rate: text } as const;

function toArguments(values: OptionValues<typeof options>): Arguments {
  return {
    minutes: toNumber('minutes', values.minutes ?? '10', { least: 0.1, most: 24 * 60 }),
    seed: toNumber('seed', values.seed ?? String(randomInt(2 ** 31)), { least: 0, most: 2 ** 31 }),
    rate: toNumber('rate', values.rate ?? '30', { least: 1, most: 1_000 }),
  };
}

function toNumber(name: string, text: string, { least, most }: { least: number; most: number }): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}`);
}

function createLog(): (line: string) => void {
  const startedAt = performance.now();
  return (line) => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}

function printTable(title: string, rows: ReadonlyMap<string, number>): void {
  console.log(`\n${title}`);
  for (const [name, value] of [...rows].toSorted(([, one], [, other]) => other - one))
    console.log(`${(Number.isInteger(value) ? String(value) : value.toFixed(1)).padStart(9)}  ${name}`);
}

function printOutcome({ minutes, seed, rate }: Arguments, outcome: SoakOutcome): void {
  const { faults, acknowledged, outcomes, cpuSeconds, stored, webhookAttempts, violations } = outcome;
  printTable('Faults', faults);
  printTable('Attempts of clients, by status or error', outcomes);
  printTable('Acknowledged writes', acknowledged);
  printTable('CPU seconds', cpuSeconds);
  const sum = (rows: ReadonlyMap<string, number>) => [...rows.values()].reduce((total, value) => total + value, 0);
  console.log(
    `\n${sum(faults)} faults, ${sum(acknowledged)} acknowledged writes, ${stored} responses stored, ` +
      `${webhookAttempts} attempts of webhooks, ${sum(cpuSeconds).toFixed(0)} CPU seconds`,
  );
  printViolations(violations);
  const again = `npm run soak -- --minutes ${minutes} --seed ${seed} --rate ${rate}`;
  console.log(violations.length === 0 ? '\nNothing was lost.' : `\n${violations.length} violations. Again: ${again}`);
}

function printViolations(violations: readonly Violation[]): void {
  for (const [kind, all] of Map.groupBy(violations, (violation) => violation.kind)) {
    console.log(`\n✗ ${kind}: ${all.length}`);
    for (const { detail } of all.slice(0, MOST_PRINTED)) console.log(`    ${detail.slice(0, 500)}`);
  }
}

/** Returns the exit code. */
async function run(args: Arguments): Promise<number> {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const folder = await mkdtemp(join(tmpdir(), 'survey-soak-'));
  const { minutes, seed, rate: requestsPerSecond } = args;
  let isWanted = false;
  try {
    const log = createLog();
    const options = { seconds: minutes * 60, seed, requestsPerSecond, folder, log, signal: stopping.signal };
    const outcome = await runSoak(options);
    printOutcome(args, outcome);
    isWanted = outcome.violations.length > 0;
    return isWanted ? 1 : 0;
  } catch (error) {
    if (stopping.signal.aborted) {
      console.log('Stopped before the end: nothing was compared.');
      return 130;
    }
    isWanted = true;
    console.error(error);
    return 1;
  } finally {
    if (isWanted) console.log(`The logs of the processes are in ${toPaths(folder).logs}`);
    // Delete the data, which is large and unreadable without the keys.
    const { data, keys } = toPaths(folder);
    for (const path of isWanted ? [data, keys] : [folder]) await rm(path, { recursive: true, force: true });
  }
}

await runCommandLine({
  usage: USAGE,
  options,
  async run({ values }) {
    process.exitCode = await run(toArguments(values));
  },
});
