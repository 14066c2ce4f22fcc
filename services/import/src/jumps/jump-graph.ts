import type { JsonObject } from '@bufbuild/protobuf';
import type { Expression } from './expression.ts';

/** Something that a respondent comes by, in the order in which they stand. */
export interface Step {
  /** Names it in jumps; each another. */
  readonly key: string;
  /** The questions that it has become, in the common shape; none for what is only read. */
  readonly questions: readonly JsonObject[];
}

/** A way on from a step. Of several the first one whose condition holds is taken; when none does, the next step follows. */
export interface Jump {
  readonly from: string;
  /** Undefined is the end of the survey. */
  readonly to: string | undefined;
  readonly when: Expression;
}
