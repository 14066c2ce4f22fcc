import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '@survey/local/stack';
import { publishLunch } from './lunch-load.ts';

const folder = await mkdtemp(join(tmpdir(), 'survey-bench-'));
const stack = await startStack({
  dir: folder,
  demo: false,
  log: (line) => console.error(line),
  env: { NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof --cpu-prof-interval 1000' },
});
await publishLunch(stack, folder);
await sleep(240_000);
await stack.stop();
await rm(folder, { recursive: true, force: true });
