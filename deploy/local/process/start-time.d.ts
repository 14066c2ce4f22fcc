/** Start time of a process, as opaque text; undefined if no such process is running. */
export function startTime(pid: number): string | undefined;
