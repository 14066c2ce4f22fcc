import { type Profiler, Session } from 'node:inspector/promises';

/**
 * Counts what code does, instead of measuring time: how often V8 enters each block of the code, and how many characters
 * and items built-in functions process. Steps inside of regular expressions are not counted.
 */
export interface StepCounter {
  /** Runs a function until its promise settles, if it returns one, and returns its steps. */
  stepsOf(run: () => unknown): Promise<number>;
  close(): Promise<void>;
}

type Patchable = Record<PropertyKey, unknown>;

const lengthOf = (value: unknown): number => (value as { readonly length: number }).length;

/** The position from which a pattern for all matches continues. */
const positionOf = (self: unknown): number => (self instanceof RegExp && self.global ? self.lastIndex : 0);

/**
 * Import the code to be counted after this: functions that were compiled before have no counters of blocks.
 *
 * @param isCounted matches the URLs of the counted modules
 */
export async function createStepCounter(isCounted: RegExp): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  let builtInSteps = 0;
  const restore: (() => void)[] = [];

  /** Adds the size of `this`, or of the first argument, whenever a built-in function is called. */
  function countCalls(
    owner: object,
    names: readonly PropertyKey[],
    sizeOf: (self: unknown, first: unknown, start: number) => number,
  ) {
    const target = owner as Patchable;
    for (const name of names) {
      const original = target[name] as (...given: unknown[]) => unknown;
      target[name] = function counted(this: unknown, ...given: unknown[]) {
        const start = positionOf(this);
        const result = Reflect.apply(original, this, given);
        builtInSteps += sizeOf(this, given[0], start);
        return result;
      };
      restore.push(() => {
        target[name] = original;
      });
    }
  }

  return {
    async stepsOf(run) {
      const texts = ['includes', 'indexOf', 'normalize', 'toUpperCase', 'toLowerCase', 'trim', 'split', 'isWellFormed'];
      countCalls(String.prototype, [...texts, 'matchAll', 'replace', 'replaceAll'], lengthOf);
      // A search for all matches is many calls, each of which reads the text from the match before.
      countCalls(RegExp.prototype, ['exec', 'test'], (self, text, start) =>
        Math.max(0, (positionOf(self) || String(text).length) - start),
      );
      countCalls(Array.prototype, ['includes', 'indexOf', 'slice', 'join', 'concat', Symbol.iterator], lengthOf);
      countCalls(Object, ['keys', 'values', 'entries'], (_, value) => Reflect.ownKeys(value as object).length);
      await session.post('Profiler.takePreciseCoverage'); // starts the counts at 0
      builtInSteps = 0;
      try {
        await run();
      } finally {
        for (const undo of restore.splice(0)) undo();
      }
      const builtIn = builtInSteps;
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const own = result.filter(({ url }) => isCounted.test(url));
      const blocks = own.flatMap(({ functions }) =>
        functions.flatMap(({ ranges }) => ranges as Profiler.CoverageRange[]),
      );
      return builtIn + blocks.reduce((sum, { count }) => sum + count, 0);
    },

    async close() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
