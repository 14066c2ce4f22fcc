// This file is loaded only when a chart is shown, because Observable Plot is large.
import * as Plot from '@observablehq/plot';
import { toBarsPlot } from './bars-plot.ts';
import { toCalendarPlot } from './calendar-plot.ts';
import type { Drawing, SelectableArea } from './chart.ts';
import { toColumnsPlot } from './columns-plot.ts';
import { toGroupedBarsPlot } from './grouped-bars-plot.ts';
import { toHeatmapPlot } from './heatmap-plot.ts';
import { toHistogramPlot } from './histogram-plot.ts';
import { FONT_SIZE, type SizedOptions } from './plot-style.ts';
import { toTimelinePlot } from './timeline-plot.ts';

/**
 * Draws a chart. Its colors are CSS variables of the console, such as `var(--accent)`.
 *
 * @param width in px; drawings with many columns can be wider
 */
export function drawChart(drawing: Drawing, width: number): SVGElement {
  const svg = Plot.plot(toOptions(drawing, width));
  // The content security policy forbids style elements. The style sheet of the console has the same rules.
  svg.querySelector('style')?.remove();
  // Plot labels its groups, which ARIA only permits with a role. The caller labels the whole chart.
  for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  svg.setAttribute('font-size', String(FONT_SIZE));
  if (!(svg instanceof SVGElement)) throw new Error('Plot returned no SVG');
  return svg;
}

/** An empty drawing of the size of a chart, so that nothing moves when the chart is drawn. */
export function drawPlaceholder(drawing: Drawing, width: number): SVGElement {
  const options = toOptions(drawing, width);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', String(options.width));
  svg.setAttribute('height', String(options.height));
  return svg;
}

/** The areas of a drawing that select answers. */
export function areasOf(drawing: Drawing, width: number): readonly SelectableArea[] {
  return toOptions(drawing, width).areas ?? [];
}

function toOptions(drawing: Drawing, width: number): SizedOptions {
  switch (drawing.kind) {
    case 'bars':
      return toBarsPlot(drawing, width);
    case 'grouped-bars':
      return toGroupedBarsPlot(drawing, width);
    case 'histogram':
      return toHistogramPlot(drawing, width);
    case 'columns':
      return toColumnsPlot(drawing, width);
    case 'timeline':
      return toTimelinePlot(drawing, width);
    case 'heatmap':
      return toHeatmapPlot(drawing, width);
    case 'calendar':
      return toCalendarPlot(drawing, width);
  }
}
