interface Line {
  readonly expr: string;
  /** Name of the series. Labels in double braces are replaced by their values. */
  readonly legend: string;
}

type Unit = 'reqps' | 'cps' | 's' | 'bytes' | 'Bps' | 'short' | 'percentunit';

interface Panel {
  readonly title: string;
  /** Explains the panel to a first-time reader. */
  readonly description: string;
  readonly kind: 'timeseries' | 'stat';
  readonly unit: Unit;
  readonly lines: readonly Line[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A dashboard. `name` is part of its file name and URL. */
export interface Dashboard {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

type PanelTexts = Pick<Panel, 'title' | 'description' | 'unit'>;

/** A time series panel, with queries as `[expression, legend]`. */
export function graph(texts: PanelTexts, ...lines: readonly (readonly [expr: string, legend: string])[]): Panel {
  return { ...texts, kind: 'timeseries', lines: lines.map(([expr, legend]) => ({ expr, legend })) };
}

/** A panel that shows the current value of each series. */
export function stat(texts: PanelTexts, ...lines: readonly (readonly [expr: string, legend: string])[]): Panel {
  return { ...graph(texts, ...lines), kind: 'stat' };
}

const WIDTH = 24;
const COLUMNS = 3;
const HEIGHT = 8;
/** The data source can be selected on the page. */
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/**
 * Converts a dashboard to Grafana's JSON model, for import or provisioning.
 * https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
 */
export function toGrafana({ name, title, rows }: Dashboard) {
  let y = 0;
  let id = 0;
  const panels = rows.flatMap((row) => {
    const heading = {
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: at(0, y, WIDTH, 1),
    };
    const shown = row.panels.map((panel, index) => {
      const [column, line] = [index % COLUMNS, Math.floor(index / COLUMNS)];
      const width = WIDTH / COLUMNS;
      return { id: ++id, ...toPanel(panel), gridPos: at(column * width, y + 1 + line * HEIGHT, width, HEIGHT) };
    });
    y += 1 + Math.ceil(shown.length / COLUMNS) * HEIGHT;
    return [heading, ...shown];
  });
  return {
    uid: `survey-${name}`,
    title,
    tags: ['survey-platform'],
    timezone: 'browser',
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0 },
        selection('namespace', 'Namespace', 'label_values(build_info{part="gateway"}, namespace)'),
        selection('release', 'Release', 'label_values(build_info{part="gateway", namespace="$namespace"}, release)'),
        {
          ...selection(
            'tenant',
            'Tenant',
            'label_values(http_requests_total{namespace="$namespace", release="$release"}, tenant_id)',
          ),
          multi: true,
          includeAll: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    annotations: { list: [] },
    panels,
  };
}

/** A variable whose values come from a query. The first value is selected. */
function selection(name: string, label: string, query: string) {
  return { name, label, type: 'query', datasource: DATASOURCE, query, refresh: 2, sort: 1, hide: 0 };
}

function toPanel({ title, description, kind, unit, lines }: Panel) {
  const isGraph = kind === 'timeseries';
  return {
    type: kind,
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: { unit, min: 0, custom: isGraph ? { fillOpacity: 10, showPoints: 'never' } : {} },
      overrides: [],
    },
    options: isGraph
      ? { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } }
      : { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'area' },
    targets: lines.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
      ...(isGraph ? {} : { instant: true }),
    })),
  };
}

function at(x: number, y: number, w: number, h: number) {
  return { x, y, w, h };
}
