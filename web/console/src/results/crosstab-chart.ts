import type { Crosstab, GroupAnswers, NoTestReason, QuestionSummary, ResponseGrouping } from '@survey/client';
import type { Cell, Chart, ChartTable } from '../charts/chart.ts';
import { countOf, formatNumber, formatShare } from '../ui/format.tsx';
import { textOf, titleOfQuestion } from './question-chart.ts';

const MAX_GROUPS = 8;
const MAX_LINES = 15;
/** A difference between groups is called significant if it is less probable by chance. */
const SIGNIFICANT = 0.05;

/** A line of a table: an answer, with its count in all groups. */
interface Line {
  readonly label: string;
  readonly count: number;
  /** Share of the responses with an answer. */
  readonly share: number | undefined;
  readonly cells: readonly GroupCell[];
}

type GroupCell = GroupAnswers['cells'][number];

/** A question or row, with the lines of its table. */
interface Part {
  /** Undefined for a question without rows. */
  readonly row: string | undefined;
  readonly answered: number;
  readonly crosstab: Crosstab;
  readonly lines: readonly Line[];
}

/** @param nameOfLink undefined for a link that is not known */
export function namesOfGroups(
  { by, by_question, groups }: ResponseGrouping,
  nameOfLink: (id: string) => string | undefined,
): readonly string[] {
  const withoutValue =
    by_question !== undefined
      ? 'Not answered'
      : by === 'link'
        ? 'Own address'
        : by === 'language'
          ? 'No language'
          : 'None';
  return groups.map(({ kind, value, text }) => {
    if (kind === 'none') return withoutValue;
    if (kind === 'other') return 'All others';
    return (by === 'link' ? nameOfLink(value) : undefined) ?? textOf(value, text);
  });
}

/** The answers of each group to a question. Questions that are not counted by group have none. */
export function toCrosstabChart(question: QuestionSummary, names: readonly string[]): Chart | undefined {
  const parts = toParts(question);
  if (question.answered === 0 || parts.length === 0) return undefined;
  const lines = parts.flatMap(({ row, lines: ofPart }) =>
    ofPart.map((line) => (row === undefined ? line : { ...line, label: `${row}: ${line.label}` })),
  );
  const isCut = names.length > MAX_GROUPS || lines.length > MAX_LINES;
  return {
    title: titleOfQuestion(question),
    description: `${lines.length} answers by ${names.length} groups. ${describeTests(question).join(' ')}`,
    ...(isCut && {
      note: `The chart has the first ${MAX_LINES} answers and ${MAX_GROUPS} groups. The table and the CSV have all.`,
    }),
    drawing: {
      kind: 'grouped-bars',
      groups: names.slice(0, MAX_GROUPS),
      lines: lines.slice(0, MAX_LINES).map(({ label, cells }) => ({
        label,
        bars: names.slice(0, MAX_GROUPS).map((_, index) => toBar(cells[index])),
      })),
    },
    table: toTable(lines, names),
    csv: toCsv(question, parts, names),
  };
}

function toBar(cell: GroupCell | undefined) {
  return { count: cell?.count, share: cell?.column_share };
}

function toParts(question: QuestionSummary): readonly Part[] {
  const { crosstab, rows, columns, options, histogram, periods, answered } = question;
  if (crosstab === undefined) return [];
  const texts = new Map(columns.map(({ id, text }) => [id, textOf(id, text)]));
  if (rows.length > 0)
    return rows.flatMap((row) => {
      const labels = row.options.map(({ id, count }) => ({ label: texts.get(id) ?? id, count }));
      if (row.crosstab === undefined) return [];
      return [toPart(textOf(row.id, row.text), row.answered, row.crosstab, labels)];
    });
  const labels = [
    ...options.map(({ id, text, count }) => ({ label: textOf(id, text), count })),
    ...histogram.map(({ from, to, count }) => ({
      label: from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`,
      count,
    })),
    ...periods.map(({ period, count }) => ({ label: period, count })),
  ];
  return [toPart(undefined, answered, crosstab, labels)];
}

function toPart(
  row: string | undefined,
  answered: number,
  crosstab: Crosstab,
  labels: readonly { readonly label: string; readonly count: number }[],
): Part {
  const lines = labels.map(
    ({ label, count }, index): Line => ({
      label,
      count,
      share: answered === 0 ? undefined : count / answered,
      cells: crosstab.groups.map(({ cells }) => cells[index] ?? {}),
    }),
  );
  // Texts and files have no lines, and too many different days have no cells, but are answered or not.
  const hasCells = crosstab.groups.some(({ cells }) => cells.length > 0);
  const answeredLine: Line = {
    label: 'Answered',
    count: answered,
    share: undefined,
    cells: crosstab.groups.map((group) => ({ ...toAnsweredCell(group) })),
  };
  return { row, answered, crosstab, lines: hasCells ? lines : [answeredLine] };
}

function toAnsweredCell({ answered, answered_share, unanswered, not_shown }: GroupAnswers): GroupCell {
  const responses = (answered ?? 0) + (unanswered ?? 0) + (not_shown ?? 0);
  return {
    ...(answered !== undefined && { count: answered }),
    ...(answered_share !== undefined && { row_share: answered_share }),
    ...(answered !== undefined && unanswered !== undefined && responses > 0 && { column_share: answered / responses }),
  };
}

/** A line for each answer, and columns for each group: the count, and its share of the group. */
function toTable(lines: readonly Line[], names: readonly string[]): ChartTable {
  return {
    columns: [
      { header: 'Answer' },
      ...[...names, 'All'].flatMap((name) => [
        { header: name, format: 'number' as const },
        { header: `${name}, share`, format: 'share' as const },
      ]),
    ],
    rows: lines.map(({ label, count, share, cells }) => [
      label,
      ...names.flatMap((_, index): readonly Cell[] => [cells[index]?.count, cells[index]?.column_share]),
      count,
      share,
    ]),
  };
}

/** A line for each answer and group, with both percentages, and one for the numbers of each group. */
function toCsv(question: QuestionSummary, parts: readonly Part[], names: readonly string[]): ChartTable {
  const { crosstab, answered, mean, median, nps } = question;
  const headers = ['Row', 'Answer', 'Group', 'Responses', 'Share of group', 'Share of answer'];
  const lines = parts.flatMap(({ row, lines: ofPart }) =>
    ofPart.flatMap(({ label, count, share, cells }) => [
      ...names.map((name, index): readonly Cell[] => {
        const cell = cells[index];
        return [row, label, name, cell?.count, cell?.column_share, cell?.row_share];
      }),
      [row, label, 'All', count, share, count === 0 ? undefined : 1],
    ]),
  );
  if (mean === undefined) return { columns: headers.map((header) => ({ header })), rows: lines };
  const all = { answered, answered_share: 1, mean, median, nps, mean_interval: undefined };
  const groups = [...(crosstab?.groups ?? []), all].map((group, index): readonly Cell[] => [
    ...[undefined, 'Answered', names[index] ?? 'All', group.answered, undefined, group.answered_share],
    ...[group.mean, group.mean_interval?.low, group.mean_interval?.high, group.median, group.nps?.score],
  ]);
  const ofNumbers = ['Mean', 'Mean from', 'Mean to', 'Median', 'Net promoter score'];
  return { columns: [...headers, ...ofNumbers].map((header) => ({ header })), rows: [...lines, ...groups] };
}

const NO_TESTS: Readonly<Record<NoTestReason, string>> = {
  multiple_choice: 'Not tested: a response can have several of these answers, or be in several groups.',
  same_question: 'The groups are the answers to this question.',
  too_few_cells: 'Not tested: fewer than two groups or options have answers.',
  low_expected_count: 'Not tested: an expected count is under 5.',
  hidden_cells: 'Not tested: small counts are hidden.',
};

/** Says in words whether the groups differ: a sentence for the question, or one for each row. */
export function describeTests({ crosstab, rows }: QuestionSummary): readonly string[] {
  if (rows.length === 0) return [describeTest(crosstab)].filter((text) => text !== undefined);
  return rows.flatMap(({ id, text, crosstab: ofRow }) => {
    const verdict = describeTest(ofRow);
    return verdict === undefined ? [] : [`${textOf(id, text)}: ${verdict}`];
  });
}

function describeTest({ test, no_test }: Partial<Crosstab> = {}): string | undefined {
  if (test === undefined) return no_test && NO_TESTS[no_test];
  const { chi_squared, degrees_of_freedom, p, cramers_v } = test;
  const verdict =
    p < SIGNIFICANT
      ? `The groups differ significantly. The association is ${strengthOf(cramers_v)}.`
      : 'The groups do not differ significantly.';
  const numbers = [
    `χ² = ${formatNumber(round(chi_squared, 2))}`,
    countOf(degrees_of_freedom, 'degree of freedom', 'degrees of freedom'),
    formatP(p),
    `Cramér's V = ${formatNumber(round(cramers_v, 2))}`,
  ];
  return `${verdict} (${numbers.join(', ')})`;
}

/** Rounds p, but not up to the bound of what is significant. */
function formatP(p: number): string {
  if (p < 0.001) return `p < ${formatNumber(0.001)}`;
  if (p < SIGNIFICANT && round(p, 3) === SIGNIFICANT) return `p < ${formatNumber(SIGNIFICANT)}`;
  return `p = ${formatNumber(round(p, 3))}`;
}

/** Names the strength of an association, as Cohen does for two groups. */
function strengthOf(cramersV: number): string {
  if (cramersV < 0.1) return 'very weak';
  if (cramersV < 0.3) return 'weak';
  return cramersV < 0.5 ? 'moderate' : 'strong';
}

/** Describes the mean of a group, with its interval. */
export function describeMean({ answered, mean, mean_interval, nps }: GroupAnswers): string {
  if (answered === undefined) return 'hidden';
  if (mean === undefined) return answered === 0 ? 'no answers' : 'hidden';
  const interval =
    mean_interval === undefined
      ? ''
      : ` (${formatNumber(round(mean_interval.low, 2))} to ${formatNumber(round(mean_interval.high, 2))})`;
  const score = nps === undefined ? '' : `, net promoter score ${formatNumber(round(nps.score, 1))}`;
  return `${formatNumber(round(mean, 2))}${interval}${score}`;
}

function round(number: number, digits: number): number {
  return Math.round(number * 10 ** digits) / 10 ** digits;
}

/** Says which part of the responses a group has. */
export function describeGroup({ answered, answered_share }: GroupAnswers): string {
  if (answered === undefined) return 'hidden';
  return `${formatNumber(answered)}${answered_share === undefined ? '' : ` · ${formatShare(answered_share)}`}`;
}
