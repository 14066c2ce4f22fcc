// Ends what its parent leaves behind. The parent names processes on our standard input, one line each:
//   "watch <pid>"   a process that leads a group of its own
//   "forget <pid>"  it has ended
//   "remove <path>" a file that must not outlive the parent
// When the input ends, however the parent died, everything still watched is asked to stop, then killed.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startTime } from './start-time.js';

const GRACE_MS = 8_000;
const KILL_MS = 1_000;

/** Process id → when it started: an id that was given out again is another process. */
const watched = new Map();
const files = [];

// The terminal's and the session's signals are for the parent: we act on its end alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const space = line.indexOf(' ');
  const [word, argument] = [line.slice(0, space), line.slice(space + 1)];
  if (word === 'watch') watched.set(Number(argument), startTime(Number(argument)));
  else if (word === 'forget') watched.delete(Number(argument));
  else if (word === 'remove') files.push(argument);
}

for (const file of files) rmSync(file, { force: true });
signalGroups('SIGTERM');
await untilEnded(GRACE_MS);
// Also where the leader has ended: its children may not have.
signalGroups('SIGKILL');
await untilEnded(KILL_MS);

function signalGroups(signal) {
  for (const [pid, started] of watched) {
    if ((startTime(pid) ?? started) !== started) continue;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

async function untilEnded(milliseconds) {
  const deadline = Date.now() + milliseconds;
  const isRunning = ([pid, started]) => started !== undefined && startTime(pid) === started;
  while (Date.now() < deadline && [...watched].some(isRunning)) await delay(50);
}
