import type { QuestionSummary } from '@survey/client';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import type { Bars, Chart, HistogramBar } from '../charts/chart.ts';
import { toPeriodsDrawing } from '../charts/periods-drawing.ts';
import { formatNumber, formatShare } from '../ui/format.tsx';

const MAX_BARS = 40;
const MAX_HEATMAP_ROWS = 40;
const MAX_HEATMAP_COLUMNS = 20;

/** The title of a question, or its id if it has none. */
export function titleOfQuestion({ title, question_id }: QuestionSummary): string {
  return title === undefined || title.trim() === '' ? question_id : title;
}

/** The chart of a question. Texts, files, and questions without answers have none. */
export function toQuestionChart(question: QuestionSummary): Chart | undefined {
  if (question.answered === 0) return undefined;
  if (question.rows.length > 0) return toHeatmap(question);
  if (question.options.length > 0) return toOptionBars(question);
  if (question.histogram.length > 0) return toHistogram(question);
  if (question.periods.length > 0) return toPeriods(question);
  return undefined;
}

/** Makes the drawing of bars. If there are too many, it has only those with the largest counts, and a note. */
export function toBarsDrawing(bars: Bars['bars']): { readonly drawing: Bars; readonly note?: string } {
  const drawn = bars.length <= MAX_BARS ? bars : bars.toSorted((one, other) => other.count - one.count);
  return {
    drawing: {
      kind: 'bars',
      bars: drawn
        .slice(0, MAX_BARS)
        .map(({ label, count, share, answers }) => ({ label, count, share, ...(answers && { answers }) })),
    },
    ...(bars.length <= MAX_BARS
      ? {}
      : { note: `The chart has the ${MAX_BARS} largest of ${formatNumber(bars.length)}. The table has all.` }),
  };
}

function toOptionBars(question: QuestionSummary): Chart {
  const bars = question.options.map(({ id, text, count, share }) => ({
    label: textOf(id, text),
    count,
    share,
    answers: { is: id },
  }));
  const [first] = bars.toSorted((one, other) => other.count - one.count);
  return {
    title: titleOfQuestion(question),
    description: first === undefined ? '' : `Most chosen: ${first.label}, ${formatShare(first.share)}.`,
    ...toBarsDrawing(bars),
    table: {
      columns: [{ header: 'Option' }, { header: 'Responses', format: 'number' }, { header: 'Share', format: 'share' }],
      rows: bars.map(({ label, count, share }) => [label, count, share]),
    },
  };
}

function toHistogram(question: QuestionSummary): Chart {
  const { histogram, nps, mean, median } = question;
  const bins: readonly HistogramBar[] = histogram.map(({ from, to, count }, index) => ({
    from,
    to,
    count,
    answers: from === to ? { is: from } : index === histogram.length - 1 ? { from, to } : { from, before: to },
    ...(nps === undefined ? {} : { tone: from >= 9 ? 'good' : from >= 7 ? 'warn' : 'bad' }),
  }));
  const facts = [
    ...(nps === undefined ? [] : [`Net promoter score ${formatNumber(nps.score)}.`]),
    ...(mean === undefined ? [] : [`Mean ${formatNumber(mean)}.`]),
    ...(median === undefined ? [] : [`Median ${formatNumber(median)}.`]),
  ];
  return {
    title: titleOfQuestion(question),
    description: facts.join(' '),
    drawing: { kind: 'histogram', bins, mean, median },
    table: {
      columns: [{ header: 'Answer' }, { header: 'Responses', format: 'number' }, { header: 'Share', format: 'share' }],
      rows: bins.map(({ from, to, count }) => [
        from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`,
        count,
        count / question.answered,
      ]),
    },
  };
}

function toHeatmap(question: QuestionSummary): Chart {
  const { rows, columns } = question;
  const rowTexts = rows.map(({ id, text }) => textOf(id, text));
  const columnTexts = columns.map(({ id, text }) => textOf(id, text));
  const cells = rows.flatMap(({ options }, row) => {
    const counts = new Map(options.map((option) => [option.id, option]));
    return columns.map(({ id }, column) => {
      const option = counts.get(id);
      return { row, column, count: option?.count ?? 0, share: option?.share ?? 0 };
    });
  });
  const isCut = rows.length > MAX_HEATMAP_ROWS || columns.length > MAX_HEATMAP_COLUMNS;
  return {
    title: titleOfQuestion(question),
    description: `${rows.length} rows by ${columns.length} columns.`,
    ...(isCut
      ? {
          note: `The chart has the first ${MAX_HEATMAP_ROWS} rows and ${MAX_HEATMAP_COLUMNS} columns. The table has all.`,
        }
      : {}),
    drawing: {
      kind: 'heatmap',
      rows: rowTexts.slice(0, MAX_HEATMAP_ROWS),
      columns: columnTexts.slice(0, MAX_HEATMAP_COLUMNS),
      cells: cells.filter(({ row, column }) => row < MAX_HEATMAP_ROWS && column < MAX_HEATMAP_COLUMNS),
    },
    table: {
      columns: [
        { header: 'Row' },
        { header: 'Column' },
        { header: 'Responses', format: 'number' },
        { header: 'Share', format: 'share' },
      ],
      rows: cells.map(({ row, column, count, share }) => [rowTexts[row], columnTexts[column], count, share]),
    },
  };
}

function toPeriods(question: QuestionSummary): Chart {
  const { periods, answered } = question;
  const [most] = periods.toSorted((one, other) => other.count - one.count);
  return {
    title: titleOfQuestion(question),
    description: most === undefined ? '' : `Most frequent: ${most.period}, ${formatNumber(most.count)}.`,
    drawing: toPeriodsDrawing(periods),
    table: {
      columns: [
        { header: question.type === 'time' ? 'Hour from' : 'Date' },
        { header: 'Responses', format: 'number' },
        { header: 'Share', format: 'share' },
      ],
      rows: periods.map(({ period, count }) => [period, count, count / answered]),
    },
  };
}

/** The text of an option, row or column, or its id if it has none. */
export function textOf(id: string, text: string | undefined): string {
  if (text !== undefined && text.trim() !== '') return text;
  return id === OTHER ? 'Other' : id;
}
