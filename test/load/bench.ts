// `npm run bench -- NAME` runs a benchmark; without a name it lists all.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Bench, printReport } from './figures.ts';
import { machineTime, stolenPercent } from './processes.ts';

const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  delivery: () => import('./delivery.ts'),
  gateway: () => import('./gateway.ts'),
  import: () => import('./import.ts'),
  ingest: () => import('./ingest.ts'),
  reading: () => import('./reading.ts'),
  start: () => import('./start.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    records: { type: 'string' },
  },
});
const [name] = positionals;
const load = name === undefined ? undefined : benches[name];
if (name === undefined || load === undefined) {
  console.log(`npm run bench -- NAME [--rounds N] [--seconds N] [--records N]\n\n${Object.keys(benches).join('\n')}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const { bench } = await load();
  const before = await machineTime();
  const measured = await bench({
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    records: values.records === undefined ? undefined : Number(values.records),
  });
  // Above a few percent, latencies depend mainly on the host.
  const stolen = stolenPercent(before, await machineTime());
  const figures = [...measured, { name: 'CPU that the host gave to others', value: stolen, unit: '%' }];
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
    platform: process.platform,
  };
  process.exitCode = printReport({ bench: name, machine, figures }) ? 0 : 1;
}
