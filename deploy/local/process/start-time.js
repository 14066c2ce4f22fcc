// Plain JavaScript, because bootstrap.js uses it before packages are installed and under older Nodes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns the start time of a process, which distinguishes it from a later one with the same id.
 * @param {number} pid
 * @returns {string | undefined} opaque text without spaces; undefined if no such process is running
 */
export function startTime(pid) {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name (field 2) may contain spaces and parentheses. State is field 3, starttime field 22.
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
