// `npm run bench -- NAME` runs a benchmark; without a name it lists all.
import { cpus } from 'node:os';
import type { Bench } from './bench-report.ts';
import { printReport } from './bench-report.ts';
import { machineTime, stolenPercent } from './stolen-time.ts';

const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  delivery: () => import('./benches/delivery.ts'),
  gateway: () => import('./benches/gateway.ts'),
  import: () => import('./benches/import.ts'),
  ingest: () => import('./benches/ingest.ts'),
  reading: () => import('./benches/reading.ts'),
};

const name = process.argv[2];
const load = name === undefined ? undefined : benches[name];
if (name === undefined || load === undefined) {
  console.log(`npm run bench -- NAME\n\n${Object.keys(benches).join('\n')}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const { bench } = await load();
  const before = await machineTime();
  const measured = await bench();
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
