/** Limits for one file. Normally, reading takes milliseconds and a few megabytes. */
const MAX_CPU_SECONDS = 20;
const MAX_MEGABYTES = 500;

/** Runs a function, and fails if it takes too much time or memory. */
export async function withinBounds<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  const [cpu, memory] = [process.cpuUsage(), process.memoryUsage.rss()];
  const value = await run();
  const { user, system } = process.cpuUsage(cpu);
  const [seconds, megabytes] = [(user + system) / 1e6, (process.memoryUsage.rss() - memory) / 1e6];
  if (seconds > MAX_CPU_SECONDS) throw new Error(`${name} took ${seconds.toFixed()} s of the processor`);
  if (megabytes > MAX_MEGABYTES) throw new Error(`${name} took ${megabytes.toFixed()} MB`);
  return value;
}
