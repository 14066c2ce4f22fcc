import type { DropOff, PageSummary } from '@survey/client';
import type { Chart } from '../charts/chart.ts';
import { countOf, formatShare } from '../ui/format.tsx';
import { toBarsDrawing } from './question-chart.ts';

/**
 * Responses that reached each page.
 *
 * @param started number of all responses
 */
export function toPagesChart(pages: readonly PageSummary[], started: number): Chart {
  const rows = pages.map(({ page, title, reached, stopped }) => ({
    label: title === undefined || title === '' ? `Page ${page}` : `${page}. ${title}`,
    count: reached,
    share: shareOf(reached, started),
    stopped,
  }));
  const last = rows.at(-1);
  return {
    title: 'Reached pages',
    description:
      last === undefined ? 'No pages.' : `${formatShare(last.share)} of the responses reached the last page.`,
    ...toBarsDrawing(rows),
    table: {
      columns: [
        { header: 'Page' },
        { header: 'Reached', format: 'number' },
        { header: 'Share', format: 'share' },
        { header: 'Stopped', format: 'number' },
      ],
      rows: rows.map(({ label, count, share, stopped }) => [label, count, share, stopped]),
    },
  };
}

/**
 * Last answered questions of responses that were not completed.
 *
 * @param titles titles of questions by id
 */
export function toDropOffChart(dropOff: readonly DropOff[], titles: ReadonlyMap<string, string>): Chart {
  const total = dropOff.reduce((sum, { count, disqualified }) => sum + count + disqualified, 0);
  const rows = dropOff.map(({ question_id, ...item }) => {
    const stopped = item.count + item.disqualified;
    return {
      label: question_id === '' ? 'Before the first answer' : (titles.get(question_id) ?? question_id),
      count: stopped,
      share: shareOf(stopped, total),
      item,
    };
  });
  return {
    title: 'Last answers before stopping',
    description: countOf(total, 'response was not completed.', 'responses were not completed.'),
    ...toBarsDrawing(rows),
    table: {
      columns: [
        { header: 'Last answered question' },
        { header: 'Responses', format: 'number' },
        { header: 'Share', format: 'share' },
        { header: 'In progress', format: 'number' },
        { header: 'Abandoned', format: 'number' },
        { header: 'Disqualified', format: 'number' },
      ],
      rows: rows.map(({ label, count, share, item }) => [
        label,
        count,
        share,
        item.count - item.abandoned,
        item.abandoned,
        item.disqualified,
      ]),
    },
  };
}

function shareOf(count: number, total: number): number {
  return total === 0 ? 0 : count / total;
}
