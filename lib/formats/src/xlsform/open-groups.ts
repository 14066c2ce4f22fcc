import type { JsonObject } from '@bufbuild/protobuf';
import type { Text } from '../core/texts.ts';
import type { FormRow } from './form.ts';

/** A group or repeat of a form. */
export interface FormGroup {
  readonly row: FormRow;
  readonly name: string;
  readonly title: Text;
  /** Ids of its questions, including those of inner groups. */
  readonly questions: string[];
  /** The rows of a repeat, or of a group in a repeat; undefined for other groups. */
  readonly repeatRows: JsonObject[] | undefined;
}

export const MAX_GROUP_DEPTH = 50;

/** Tracks the groups around the current row. Groups that are nested too deep are skipped. */
export function createOpenGroups() {
  /** The outermost group is the first one. */
  const groups: FormGroup[] = [];
  let skipped = 0;
  return {
    innermost: (): FormGroup | undefined => groups.at(-1),
    names: (): readonly string[] => groups.map(({ name }) => name),
    /** Whether the current row is in a skipped group. */
    isSkipping: (): boolean => skipped > 0,
    isInRepeat: (): boolean => groups.some(({ repeatRows }) => repeatRows !== undefined),
    /** Returns whether the group is open; otherwise it is skipped. */
    begin(group: FormGroup): boolean {
      if (skipped === 0 && groups.length < MAX_GROUP_DEPTH) groups.push(group);
      else skipped += 1;
      return skipped === 0;
    },
    /** Ends the innermost group. Returns undefined if this group was skipped, or if no group is open. */
    end(): FormGroup | undefined {
      if (skipped === 0) return groups.pop();
      skipped -= 1;
      return undefined;
    },
    /** Ends all groups that the form leaves open. Returns them one by one, innermost first. */
    *endAll(): Generator<FormGroup> {
      skipped = 0;
      for (let group = groups.pop(); group !== undefined; group = groups.pop()) yield group;
    },
  };
}
