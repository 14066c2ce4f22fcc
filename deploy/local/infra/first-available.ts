/** One possible way to get a server. */
export interface Attempt<T> {
  /** Name for the log: "MONGODB_URI", "mongod on the PATH". */
  readonly name: string;
  /** Throws `UnavailableError` if this machine does not offer this way, and any other error if it fails. */
  readonly start: () => Promise<T>;
}

/** This way does not exist on this machine. The next one is tried without a log line. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

interface FirstAvailableOptions<T> {
  readonly server: string;
  readonly attempts: readonly Attempt<T>[];
  /** Advice for the user if nothing works. */
  readonly remedy: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Tries the attempts in order, and logs the first one that works. If all fail, throws one error with all reasons. */
export async function firstAvailable<T>(options: FirstAvailableOptions<T>): Promise<T> {
  const failures: string[] = [];
  for (const { name, start } of options.attempts) {
    try {
      const result = await start();
      options.log(`${options.server}: ${name}`);
      return result;
    } catch (error) {
      options.signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof UnavailableError))
        options.log(`${options.server}: ${name} does not work (${firstLine(reason)})`);
      failures.push(`  ${name}: ${reason.replaceAll('\n', '\n    ')}`);
    }
  }
  throw new Error(`${options.server} cannot be started. ${options.remedy}\n${failures.join('\n')}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
