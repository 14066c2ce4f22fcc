import { type RowLocation, rowOf } from '@survey/formats/shared/file-response';
import type { Omission } from '@survey/formats/shared/kept-answers';
import { shorten } from '@survey/questionnaire/shorten';

interface Position extends RowLocation {
  readonly index: number;
}

/** Values of one column that are not stored as answers, all for one reason. */
export interface ReportedOmission extends Omission {
  /** Number of responses. */
  readonly count: number;
  readonly examples: readonly Position[];
}

/** Counts the values of a file that are not stored as answers. */
export interface Omissions {
  add(position: Position, omissions: readonly Omission[]): void;
  /** In the order of the file, then one entry per action that counts the omissions beyond the limit. */
  list(): readonly ReportedOmission[];
}

/** These limits keep each report small enough for an event. */
const MAX_OMISSIONS = 100;
const ACTIONS = ['kept', 'dropped', 'missing'] as const satisfies readonly Omission['action'][];
const MAX_EXAMPLES = 5;
const MAX_COLUMN_LENGTH = 80;
const MAX_DETAIL_LENGTH = 100;

export function createOmissions(): Omissions {
  const found = new Map<string, { readonly omission: Omission; count: number; readonly examples: Position[] }>();
  const unlisted = new Map<Omission['action'], number>();
  return {
    add(position, omissions) {
      for (const { column, code, detail, action } of omissions) {
        const key = JSON.stringify([action, code, column]);
        const entry = found.get(key);
        if (entry !== undefined) {
          entry.count += 1;
          if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(toPosition(position));
        } else if (found.size < MAX_OMISSIONS - ACTIONS.length) {
          const omission = {
            column: shorten(column, MAX_COLUMN_LENGTH),
            code,
            detail: shorten(detail, MAX_DETAIL_LENGTH),
            action,
          };
          found.set(key, { omission, count: 1, examples: [toPosition(position)] });
        } else unlisted.set(action, (unlisted.get(action) ?? 0) + 1);
      }
    },

    list() {
      const listed = [...found.values()].map(({ omission, count, examples }) => ({ ...omission, count, examples }));
      const detail = 'further omissions, which the report does not list one by one';
      const more = ACTIONS.flatMap((action): readonly ReportedOmission[] => {
        const count = unlisted.get(action);
        return count === undefined ? [] : [{ column: '', code: 'MORE_OMISSIONS', detail, action, count, examples: [] }];
      });
      return [...listed, ...more];
    },
  };
}

function toPosition(position: Position): Position {
  return { index: position.index, ...rowOf(position) };
}
