// Plain JavaScript: also read by bootstrap.js, which runs before anything is installed and under older Nodes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells when a process started, so that a process id that was given out again is not taken for the old process.
 * @param {number} pid
 * @returns {string | undefined} an opaque word without spaces; undefined when no such process runs
 */
export function startTime(pid) {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name (field 2) may hold spaces and parentheses; state is field 3, starttime field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function fromPs(pid) {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim().replace(/\W+/g, '_') || undefined;
  } catch {
    return undefined;
  }
}
