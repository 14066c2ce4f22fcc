// Cleans up after its parent, which writes one command per line to our standard input:
//   "watch <pid>"   registers a process that leads its own process group
//   "forget <pid>"  the process has ended
//   "remove <path>" registers a file or folder that must not outlive the parent
// At the end of the input, whatever its cause, all registered processes get SIGTERM, then SIGKILL.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startTime } from './start-time.js';

const GRACE_MS = 8_000;
const KILL_MS = 1_000;

/** Process id → start time, which distinguishes a process from a later one with the same id. */
const watched = new Map();
const paths = [];

// Ignore signals: only the end of the parent counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const space = line.indexOf(' ');
  const [word, argument] = [line.slice(0, space), line.slice(space + 1)];
  if (word === 'watch') watched.set(Number(argument), startTime(Number(argument)));
  else if (word === 'forget') watched.delete(Number(argument));
  else if (word === 'remove') paths.push(argument);
}

signalGroups('SIGTERM');
await untilEnded(GRACE_MS);
// Kill whole groups, because children may run although their leader has ended.
signalGroups('SIGKILL');
await untilEnded(KILL_MS);
for (const path of paths) rmSync(path, { recursive: true, force: true });

function signalGroups(signal) {
  for (const [pid, started] of watched) {
    if ((startTime(pid) ?? started) !== started) continue;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has ended, or may not be signalled. Either way, the other groups must end.
    }
  }
}

async function untilEnded(milliseconds) {
  const deadline = Date.now() + milliseconds;
  const isRunning = ([pid, started]) => started !== undefined && startTime(pid) === started;
  while (Date.now() < deadline && [...watched].some(isRunning)) await delay(50);
}
