import type { JsonObject } from '@bufbuild/protobuf';
import type { Expression } from './jump-expression.ts';

/** A step of a survey, in the order of the file: questions or a text. */
export interface Step {
  /** Identifies the step in jumps; unique. */
  readonly key: string;
  /** The converted questions; empty for a text. */
  readonly questions: readonly JsonObject[];
}

/** A jump from a step. The first jump whose condition holds is taken; otherwise, the next step follows. */
export interface Jump {
  readonly from: string;
  /** Key of the target step; undefined for the end of the survey. */
  readonly to: string | undefined;
  readonly when: Expression;
}
