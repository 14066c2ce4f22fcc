import { type GroupKey, NO_VALUE, OTHER_VALUES, valueOfGroup } from '../crosstabs/grouping.ts';
import { hideCells, hideSmallCounts, type Mask, type StepBudget } from '../crosstabs/hidden-cells.ts';
import { type IndependenceTest, meanInterval, sum, testIndependence } from '../crosstabs/statistics.ts';
import { type GroupCounts, type GroupTallies, MAX_LINES } from './group-tally.ts';
import { countInBins, createNumberTally, toNps } from './number-tally.ts';
import { countInPeriods, type KindCounts } from './question-tally.ts';
import type {
  CrosstabTable,
  Group,
  GroupNumbers,
  Groups,
  KindSummary,
  NoTest,
  OptionSummary,
  QuestionSummary,
  TableColumn,
} from './summary.ts';

/** The columns of the tables, which are the same groups for all questions. */
interface Columns {
  readonly counted: readonly GroupCounts[];
  /** Whether the group is tested. Other values are not, and responses without a value are only if they have no link. */
  readonly isTested: readonly boolean[];
  /** The question of the groups. */
  readonly groupedBy: string | undefined;
  readonly isOverlapping: boolean;
}

/** Adds the counts of the groups to the questions and their rows. */
export function toCrosstab(
  questions: readonly QuestionSummary[],
  tallies: GroupTallies,
): { readonly groups: Groups; readonly questions: readonly QuestionSummary[] } {
  const { grouping, isCounted, isMultipleChoice, hasUncounted } = tallies;
  const counted = tallies.summary();
  const groupedBy = grouping.by === 'question' ? grouping.questionId : undefined;
  const isOverlapping = groupedBy !== undefined && isMultipleChoice(groupedBy);
  const groups = counted.map(toGroup);
  const columns: Columns = {
    counted: counted.map(([, counts]) => counts),
    isTested: groups.map(({ kind }) => kind === 'value' || (kind === 'none' && grouping.by === 'link')),
    groupedBy,
    isOverlapping,
  };
  return {
    groups: { grouping, groups, isOverlapping, hasUncounted: hasUncounted() },
    questions: questions.map((question) =>
      isCounted(question.questionId) ? addColumns(question, columns, isMultipleChoice(question.questionId)) : question,
    ),
  };
}

function toGroup([key, { versions }]: readonly [GroupKey, GroupCounts]): Group {
  const kind = key === NO_VALUE ? 'none' : key === OTHER_VALUES ? 'other' : 'value';
  return { kind, value: kind === 'value' ? valueOfGroup(key) : '', responses: sum(versions.values()) };
}

function addColumns(question: QuestionSummary, columns: Columns, isMultiple: boolean): QuestionSummary {
  const { questionId, versions, otherVersions, options, rows } = question;
  const counts = columns.counted.map((group) => group.questions.get(questionId));
  const isIn = new Set([...versions, ...otherVersions]);
  const groups = columns.counted.map((group, index): TableColumn => {
    const { answered = 0, notShown = 0, kindCounts } = counts[index] ?? {};
    const inVersions = [...group.versions].filter(([version]) => isIn.has(version)).map(([, count]) => count);
    const shown = sum(inVersions) - notShown;
    return {
      answered,
      unanswered: shown - answered,
      notShown: sum(group.versions.values()) - shown,
      cells: toCells(question, kindCounts),
      ...(kindCounts?.kind === 'numbers' && { numbers: toNumbers(question, kindCounts) }),
      ...(question.files !== undefined && { files: kindCounts?.kind === 'files' ? kindCounts.count : 0 }),
    };
  });
  const test = questionId === columns.groupedBy ? 'same_question' : testColumns(groups, columns, isMultiple);
  return {
    ...question,
    crosstab: { groups, ...(options && { test }) },
    ...(rows && {
      rows: rows.map((row) => {
        const inRow = counts.map((group) => rowOf(group?.kindCounts, row.id, row.options));
        // Only a matrix whose rows take several columns has more choices than answers.
        const choices = sum(row.options.map(({ count }) => count));
        return { ...row, crosstab: { groups: inRow, test: testColumns(inRow, columns, choices !== row.answered) } };
      }),
    }),
  };
}

function testColumns(
  groups: readonly TableColumn[],
  { isTested, isOverlapping }: Columns,
  isMultiple: boolean,
): IndependenceTest | NoTest {
  if (isMultiple || isOverlapping) return 'multiple_choice';
  const tested = groups.filter((_, index) => isTested[index]);
  return testIndependence(tested.map(({ cells }) => countsOf(cells)));
}

/** Returns the counts of a group in the options, bins or periods of the question. Empty if there are too many. */
function toCells(total: KindSummary, counts: KindCounts | undefined): readonly number[] {
  const { options, numbers, periods } = total;
  if (options !== undefined) return toOptionCells(options, counts?.kind === 'choices' ? counts.options : undefined);
  if (periods !== undefined) {
    if (periods.length > MAX_LINES || counts?.kind === 'presence') return [];
    const isOfPeriods = counts?.kind === 'dates' || counts?.kind === 'times';
    return countInPeriods(periods, isOfPeriods ? counts : undefined);
  }
  const bins = numbers?.histogram ?? [];
  if (counts?.kind !== 'numbers') return bins.map(() => 0);
  return counts.counted.frequencies === undefined ? [] : countInBins(bins, counts.counted.frequencies);
}

function toOptionCells(options: readonly OptionSummary[], counts: ReadonlyMap<string, number> | undefined) {
  return options.map(({ id }) => counts?.get(id) ?? 0);
}

function rowOf(counts: KindCounts | undefined, id: string, options: readonly OptionSummary[]): TableColumn {
  const row = counts?.kind === 'rows' ? counts.rows.find(([rowId]) => rowId === id) : undefined;
  const [, answered = 0, chosen] = row ?? [];
  return { answered, cells: toOptionCells(options, chosen) };
}

function toNumbers(total: KindSummary, { counted }: KindCounts & { readonly kind: 'numbers' }): GroupNumbers {
  const tally = createNumberTally({ left: Number.POSITIVE_INFINITY });
  tally.merge({ counted });
  const { mean, median } = tally.summary();
  const { count, squares, frequencies } = counted;
  return {
    mean,
    interval: mean === undefined ? undefined : meanInterval(mean, count, squares),
    median,
    nps: total.numbers?.nps && frequencies && count > 0 ? toNps(frequencies, count) : undefined,
  };
}

/** Maximum number of cells that hiding looks at for a reply. The event loop waits for some tens of milliseconds at most. */
const MAX_STEPS = 1_000_000;

interface Grouped {
  readonly groups: Groups | undefined;
  readonly questions: readonly QuestionSummary[];
}

/**
 * Hides small counts, and others that reveal them together with the sums. It makes a display discreet: other filters and
 * the sizes of groups can still reveal answers. If all tables together need too many steps, the last ones are hidden
 * completely.
 *
 * @param minCell 0 to hide nothing
 */
export function hideSmallCells<G extends Grouped>(summary: G, minCell: number): G {
  const { groups, questions } = summary;
  if (groups === undefined || minCell === 0) return summary;
  const isHidden = hideSmallCounts(countsOf(groups.groups.map(({ responses }) => responses)), minCell);
  const steps: StepBudget = { left: MAX_STEPS };
  return {
    ...summary,
    groups: {
      ...groups,
      groups: groups.groups.map((group, index) =>
        isHidden[index] === true ? { ...group, responses: undefined } : group,
      ),
    },
    questions: questions.map((question) => ({
      ...question,
      ...(question.crosstab && { crosstab: hideInTable(question.crosstab, minCell, isHidden, steps) }),
      ...(question.rows && {
        rows: question.rows.map((row) => ({
          ...row,
          ...(row.crosstab && { crosstab: hideInTable(row.crosstab, minCell, isHidden, steps) }),
        })),
      }),
    })),
  };
}

function hideInTable(
  table: CrosstabTable,
  minCell: number,
  isGroupHidden: readonly boolean[],
  steps: StepBudget,
): CrosstabTable {
  const answered = countsOf(table.groups.map((column) => column.answered));
  const isColumnHidden = hideSmallCounts(answered, minCell, isGroupHidden);
  const categories = Math.max(0, ...table.groups.map(({ cells }) => cells.length));
  const counts = Array.from({ length: categories }, (_, row) => countsOf(table.groups.map(({ cells }) => cells[row])));
  const mask = hideCells(counts, minCell, isColumnHidden, steps);
  const groups = table.groups.map((column, index) => hideInColumn(column, index, mask, isColumnHidden[index] === true));
  const hidesSome = isColumnHidden.includes(true) || mask.some((row) => row.includes(true));
  return { groups, ...(table.test && { test: hidesSome ? 'hidden_cells' : table.test }) };
}

function hideInColumn(column: TableColumn, index: number, mask: Mask, isHidden: boolean): TableColumn {
  const { answered, cells, numbers, files } = column;
  const shownCells = cells.map((count, row) => (mask[row]?.[index] === true ? undefined : count));
  // Mean and median depend on all cells of a column.
  const hidesNumbers = isHidden || shownCells.includes(undefined);
  return {
    answered: isHidden ? undefined : answered,
    cells: shownCells,
    numbers: hidesNumbers ? undefined : numbers,
    files: isHidden ? undefined : files,
  };
}

function countsOf(counts: readonly (number | undefined)[]): readonly number[] {
  return counts.map((count) => count ?? 0);
}
