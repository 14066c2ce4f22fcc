import { toCsvText } from '@survey/questionnaire/columns/csv';
import { shorten } from '@survey/questionnaire/shorten';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { flushSync } from 'react-dom';
import { safeFileName } from '../downloads/file-name.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatNumber, formatShare } from '../ui/format.tsx';
import { saveFile } from '../ui/save-file.ts';
import { ErrorNotice } from '../ui/states.tsx';
import type { BarAnswers, Cell, Chart, ChartTable, Drawing, SelectableArea } from './chart.ts';
import { cleanLabel } from './label.ts';

const FILE_WIDTH = 800;
const MAX_NAME_LENGTH = 80;
/** Distance from the screen, at which charts are drawn. */
const NEAR = '800px';

/** Selects the answers of bars. */
export interface ChartSelection {
  readonly isSelected: (answers: BarAnswers) => boolean;
  readonly toggle: (answers: BarAnswers) => void;
}

interface Props {
  readonly chart: Chart;
  /** Makes bars with `answers` selectable. */
  readonly selection?: ChartSelection | undefined;
  /** Shown between title and chart. */
  readonly children?: ReactNode;
}

/** A chart with its title, its numbers as a table, and downloads. */
export function ChartFigure({ chart, selection, children }: Props) {
  const captionId = useId();
  const announce = useAnnounce();
  const [showsTable, setShowsTable] = useState(false);
  const name = shorten(cleanLabel(chart.title), MAX_NAME_LENGTH);

  function saveCsv(): void {
    const { columns, rows } = chart.csv ?? chart.table;
    const text = toCsvText([columns.map(({ header }) => header), ...rows]);
    saveFile(`${safeFileName(name, 'chart')}.csv`, 'text/csv;charset=utf-8', text);
  }

  async function saveSvg(): Promise<void> {
    try {
      const [{ drawChart }, { toSvgFile }] = await Promise.all([import('./draw-chart.ts'), import('./svg-file.ts')]);
      const svg = toSvgFile(drawChart(chart.drawing, FILE_WIDTH), chart.title);
      saveFile(`${safeFileName(name, 'chart')}.svg`, 'image/svg+xml', svg);
    } catch (error) {
      announce(`The chart was not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return (
    <figure className="chart card" aria-labelledby={captionId}>
      <figcaption id={captionId} className="chart-title">
        <bdi className="clamped">{chart.title}</bdi>
      </figcaption>
      {children}
      {showsTable ? (
        <ChartDataTable title={name} table={chart.table} />
      ) : (
        <>
          <ChartView
            drawing={chart.drawing}
            name={name}
            label={`${name}. ${shorten(cleanLabel(chart.description), 200)}`}
            selection={selection}
          />
          {chart.note !== undefined && <p className="soft small">{chart.note}</p>}
        </>
      )}
      <div className="row-tight no-print">
        <Button
          variant="plain"
          aria-label={`${showsTable ? 'Show chart' : 'Show table'}: ${name}`}
          onPress={() => setShowsTable(!showsTable)}
        >
          {showsTable ? 'Show chart' : 'Show table'}
        </Button>
        <Button variant="plain" aria-label={`SVG: ${name}`} onPress={() => void saveSvg()}>
          SVG
        </Button>
        <Button variant="plain" aria-label={`CSV: ${name}`} onPress={saveCsv}>
          CSV
        </Button>
      </div>
    </figure>
  );
}

interface TableRow {
  readonly key: string;
  readonly cells: readonly Cell[];
}

function ChartDataTable({ title, table }: { readonly title: string; readonly table: ChartTable }) {
  const rows = table.rows.map((cells, index): TableRow => ({ cells, key: String(index) }));
  return (
    <div className="chart-table">
      <DataTable<TableRow>
        caption={title}
        rows={rows}
        rowKey={({ key }) => key}
        columns={table.columns.map(({ header, format }, index) => ({
          header,
          ...(format === undefined ? {} : { align: 'end' as const }),
          cell: ({ cells }) => <bdi>{formatCell(cells[index], format)}</bdi>,
        }))}
      />
    </div>
  );
}

function formatCell(value: Cell, format: 'number' | 'share' | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  return format === 'share' ? formatShare(value) : formatNumber(value);
}

interface ViewProps {
  readonly drawing: Drawing;
  /** The beginning of the title. */
  readonly name: string;
  readonly label: string;
  readonly selection: ChartSelection | undefined;
}

/**
 * Draws a chart in the available width. A chart that is far from the screen is only a placeholder of the same size. It
 * is drawn when it comes near, or for printing.
 */
function ChartView({ drawing, name, label, selection }: ViewProps) {
  const region = useRef<HTMLElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [isNear, setNear] = useState(false);
  const [drawModule, setDrawModule] = useState<typeof import('./draw-chart.ts')>();
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    let isUnmounted = false;
    import('./draw-chart.ts').then(
      (loaded) => isUnmounted || setDrawModule(loaded),
      (failure: unknown) => isUnmounted || setError(failure),
    );
    return () => {
      isUnmounted = true;
    };
  }, []);

  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const resizeObserver = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    resizeObserver.observe(element);
    const visibilityObserver = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: NEAR,
      },
    );
    visibilityObserver.observe(element);
    const beforePrint = () => flushSync(() => setNear(true));
    addEventListener('beforeprint', beforePrint);
    return () => {
      resizeObserver.disconnect();
      visibilityObserver.disconnect();
      removeEventListener('beforeprint', beforePrint);
    };
  }, []);

  useEffect(() => {
    const element = picture.current;
    if (element === null || drawModule === undefined || width === 0) return;
    if (!isNear) {
      element.replaceChildren(drawModule.drawPlaceholder(drawing, width));
      return;
    }
    const svg = drawModule.drawChart(drawing, width);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
    element.replaceChildren(svg);
  }, [drawModule, drawing, label, width, isNear]);

  const isSelectable = selection !== undefined;
  const areas = useMemo(
    () => (isSelectable && isNear && width > 0 ? (drawModule?.areasOf(drawing, width) ?? []) : []),
    [isSelectable, isNear, drawModule, drawing, width],
  );
  if (error !== undefined) return <ErrorNotice error={error} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={region} className="chart-region" data-kind={drawing.kind} tabIndex={0} aria-label={label}>
      <div ref={picture} />
      {selection !== undefined && areas.length > 0 && (
        <Areas areas={areas} isVertical={drawing.kind === 'bars'} name={name} selection={selection} />
      )}
    </section>
  );
}

interface AreasProps {
  readonly areas: readonly SelectableArea[];
  readonly isVertical: boolean;
  readonly name: string;
  readonly selection: ChartSelection;
}

/** Buttons over the bars of a drawing. One press of Tab reaches them, and arrow keys move between them. */
function Areas({ areas, isVertical, name, selection }: AreasProps) {
  return (
    <Toolbar
      className="chart-areas no-print"
      orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-label={`Select answers: ${name}`}
    >
      {areas.map(({ label, answers, x, y, width, height }) => (
        <button
          key={JSON.stringify(answers)}
          type="button"
          aria-label={shorten(cleanLabel(label), MAX_NAME_LENGTH)}
          aria-pressed={selection.isSelected(answers)}
          style={{ insetInlineStart: x, top: y, width, height }}
          onClick={() => selection.toggle(answers)}
        />
      ))}
    </Toolbar>
  );
}
