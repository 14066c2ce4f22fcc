import * as Plot from '@observablehq/plot';
import { formatNumber, formatShare } from '../ui/format.tsx';
import type { GroupedBars } from './chart.ts';
import { bandLabels, toLabelBands, wrapLabel } from './label.ts';
import { ACCENT, CHARACTER_WIDTH, FONT_SIZE, LINE_HEIGHT, type SizedOptions, SOFT_COLOR } from './plot-style.ts';

const MARGIN_RIGHT = 120;
/** Largest part of the width that the names of groups take. */
const NAMES = 0.35;
const GAP = 16;

interface GroupBar {
  readonly name: string;
  readonly y1: number;
  readonly y2: number;
  readonly share: number;
  readonly text: string;
}

/** Draws for each answer a bar for each group, with the name of the group beside it. */
export function toGroupedBarsPlot({ groups, lines }: GroupedBars, width: number): SizedOptions {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  const nameWidth = Math.min(Math.floor(width * NAMES), Math.ceil((longest + 2) * CHARACTER_WIDTH));
  const names = groups.map(
    (name) => wrapLabel(name, Math.max(3, Math.floor(nameWidth / CHARACTER_WIDTH) - 1), 1)[0] ?? '',
  );
  const { bands, nextTop } = toLabelBands(lines, { width, top: 0, height: groups.length * LINE_HEIGHT, gap: GAP });
  const bars = bands.flatMap(({ y1, bars: ofLine }) =>
    ofLine.map(({ count, share = 0 }, index): GroupBar => {
      const top = y1 + index * LINE_HEIGHT;
      const text = count === undefined ? 'hidden' : `${formatNumber(count)} · ${formatShare(share)}`;
      return { name: names[index] ?? '', y1: top + 2, y2: top + LINE_HEIGHT - 2, share, text };
    }),
  );
  const bottom = Math.max(nextTop - GAP, LINE_HEIGHT);
  const middle = ({ y1, y2 }: GroupBar) => (y1 + y2) / 2;
  const textStyle = { fontSize: FONT_SIZE, fill: SOFT_COLOR, y: middle };
  // The scale of shares begins after the names. Labels of answers begin at the left edge, which is below 0.
  const innerWidth = Math.max(1, width - MARGIN_RIGHT - 2);
  const start = nameWidth / innerWidth;
  const toX = (share: number) => start + share * (1 - start);
  return {
    width,
    height: bottom + 6,
    marginLeft: 2,
    marginRight: MARGIN_RIGHT,
    marginTop: 2,
    marginBottom: 4,
    x: { domain: [0, 1], axis: null },
    y: { domain: [0, bottom], range: [2, bottom + 2], axis: null },
    marks: [
      Plot.rect(bars, { x1: start, x2: 1, y1: 'y1', y2: 'y2', fill: 'var(--surface-sunken)', rx: 2 }),
      Plot.rect(
        bars.filter(({ share }) => share > 0),
        { x1: start, x2: ({ share }: GroupBar) => toX(share), y1: 'y1', y2: 'y2', fill: ACCENT, rx: 2 },
      ),
      bandLabels(bands),
      Plot.text(bars, { x: 0, text: 'name', textAnchor: 'start', ...textStyle }),
      Plot.text(bars, { x: 1, dx: 8, text: 'text', textAnchor: 'start', ...textStyle }),
    ],
  };
}
