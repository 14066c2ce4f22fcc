/** Of one file; reading takes milliseconds, and some megabytes. */
const MAX_CPU_SECONDS = 20;
const MAX_MEGABYTES = 500;

/** Runs what may take a while, but neither minutes nor the memory of the machine: fails when it does. */
export async function withinBounds<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  const [cpu, memory] = [process.cpuUsage(), process.memoryUsage.rss()];
  const value = await run();
  const { user, system } = process.cpuUsage(cpu);
  const [seconds, megabytes] = [(user + system) / 1e6, (process.memoryUsage.rss() - memory) / 1e6];
  if (seconds > MAX_CPU_SECONDS) throw new Error(`${name} took ${seconds.toFixed()} s of the processor`);
  if (megabytes > MAX_MEGABYTES) throw new Error(`${name} took ${megabytes.toFixed()} MB`);
  return value;
}
