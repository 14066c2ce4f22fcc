/** When the process started, as an opaque word; undefined when no such process runs. */
export function startTime(pid: number): string | undefined;
