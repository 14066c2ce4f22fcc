import type { JsonObject } from '@bufbuild/protobuf';
import { scalarText } from './qsf.ts';
import type { SkipStep } from './skip-logic.ts';

interface SkipTarget {
  /** Ids of the skipped questions. In random order, ids of all questions that may be skipped. */
  readonly questions: readonly string[];
  /** Id of the next question; undefined for the end of the survey. */
  readonly to: string | undefined;
  /** The reason why the skip cannot be converted. */
  readonly fault: string | undefined;
}

/** Finds the questions that a skip passes over. */
interface Route {
  /** @param position position of the step with the skip */
  targetOf(position: number, skip: JsonObject): SkipTarget;
  /** Ids of the questions from `start` to before `end`. */
  idsBetween(start: number, end: number): readonly string[];
}

const END_OF_SURVEY = 'ENDOFSURVEY';
const NO_LATER_QUESTION = 'it does not lead to a later question';

export function createRoute(steps: readonly SkipStep[]): Route {
  const positions = new Map(steps.map(({ qid }, position) => [qid, position]));
  const blockStarts = new Map(steps.map(({ block }, position) => [block, position] as const).toReversed());
  const blockEnds = new Map(steps.map(({ block }, position) => [block, position + 1]));
  const ids = steps.flatMap((step) => step.ids);
  /** Number of ids before each position. */
  const before = [0];
  for (const step of steps) before.push((before.at(-1) ?? 0) + step.ids.length);
  const idsBetween = (start: number, end: number) => ids.slice(before[start], before[Math.max(start, end)]);

  /** Position of the first step that is not skipped; undefined for an unknown destination. */
  const endOf = (destination: string, block: string): number | undefined => {
    if (destination === END_OF_SURVEY) return steps.length;
    return destination === 'ENDOFBLOCK' ? blockEnds.get(block) : positions.get(destination);
  };

  return {
    idsBetween,
    targetOf(position, skip) {
      const { block = '', order } = steps[position] ?? {};
      const destination = scalarText(skip['SkipToDestination']) ?? '';
      const end = endOf(destination, block);
      if (end === undefined) return { questions: [], to: undefined, fault: NO_LATER_QUESTION };
      const to = ids[before[end] ?? ids.length];
      const [start, blockEnd] = [blockStarts.get(block) ?? 0, blockEnds.get(block) ?? 0];
      const leavesBlock = end < start || end > blockEnd || destination === END_OF_SURVEY;
      if (order?.block === 'random' && leavesBlock) {
        return { questions: ids, to, fault: 'the blocks are in random order' };
      }
      if (order?.questions === 'random') {
        return {
          questions: idsBetween(start, Math.max(end, blockEnd)),
          to,
          fault: 'the questions are in random order',
        };
      }
      const fault = end > position ? undefined : NO_LATER_QUESTION;
      return { questions: idsBetween(position + 1, end), to, fault };
    },
  };
}
