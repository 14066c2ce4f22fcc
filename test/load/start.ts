import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import { makeBundles } from '../support/test-stack.ts';
import { type Bench, medianOf, repeat } from './figures.ts';
import { log, toPids } from './platform.ts';
import { readCpu } from './processes.ts';

/** CPU seconds of a process until it is ready, with compiled modules as in an image. */
const MOST_CPU = 1.2;

/** Measures the starts of all processes from their bundles, as in images, and from the sources. */
export const bench: Bench = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
  try {
    const bundles = await makeBundles(folder);
    const start = async (options: { readonly bundles?: string }) => {
      const stack = await startStack({ dir: folder, demo: false, log, ...options });
      try {
        return await readCpu(toPids(stack.info().services));
      } finally {
        await stack.stop();
      }
    };
    const measure = async () => ({ bundle: await start({ bundles }), sources: await start({}) });
    // Compiles the modules.
    const first = await measure();
    const measured = await repeat(rounds, measure);
    return [...first.bundle.keys()].flatMap((name) => {
      const median = (code: keyof typeof first) => medianOf(measured, (round) => round[code].get(name) ?? Number.NaN);
      const fromBundle = median('bundle');
      return [
        { name: `${name}, CPU of a start`, value: fromBundle, unit: 's', atMost: MOST_CPU },
        { name: `${name}, from the sources`, value: median('sources') / fromBundle, unit: 'times as much' },
      ];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
