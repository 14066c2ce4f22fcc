/** A way to get a server. */
export interface Attempt<T> {
  /** As it stands in the log: "MONGODB_URI", "mongod on the PATH". */
  readonly name: string;
  /** Throws `NotThereError` when this way does not exist here, anything else when it exists and fails. */
  readonly start: () => Promise<T>;
}

/** This way does not exist on this machine, which is no fault: the next one is tried without a word. */
export class NotThereError extends Error {
  override readonly name = 'NotThereError';
}

interface FirstThatWorksOptions<T> {
  readonly what: string;
  readonly attempts: readonly Attempt<T>[];
  /** What the user can do when nothing works. */
  readonly remedy: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Tries each way in turn and logs which one it was; when none works, one error that says why each did not. */
export async function firstThatWorks<T>(options: FirstThatWorksOptions<T>): Promise<T> {
  const failures: string[] = [];
  for (const { name, start } of options.attempts) {
    try {
      const result = await start();
      options.log(`${options.what}: ${name}`);
      return result;
    } catch (error) {
      options.signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof NotThereError))
        options.log(`${options.what}: ${name} does not work (${firstLine(reason)})`);
      failures.push(`  ${name}: ${reason.replaceAll('\n', '\n    ')}`);
    }
  }
  throw new Error(`${options.what} cannot be started. ${options.remedy}\n${failures.join('\n')}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
