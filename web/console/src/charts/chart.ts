/** A chart as data: a drawing, and a table with all of its numbers. */
export interface Chart {
  /** Text of a definition: it can be long, and contain anything. */
  readonly title: string;
  /** A sentence with the main result, for screen readers. */
  readonly description: string;
  /** Says that the drawing leaves something out. */
  readonly note?: string;
  readonly drawing: Drawing;
  readonly table: ChartTable;
  /** The numbers for a CSV file, if they are more than those of the table. */
  readonly csv?: ChartTable;
}

export interface ChartTable {
  readonly columns: readonly { readonly header: string; readonly format?: 'number' | 'share' }[];
  /** Cells in the order of the columns. Shares are from 0 to 1; undefined is an empty cell. */
  readonly rows: readonly (readonly Cell[])[];
}

export type Cell = string | number | undefined;

export type Drawing = Bars | GroupedBars | Histogram | Columns | Timeline | Heatmap | Calendar;

/** The answers that a bar stands for: one, or those of a range. */
export type BarAnswers =
  | { readonly is: string | number }
  | {
      readonly from: string | number;
      /** The end of the range, which is part of it. */
      readonly to?: string | number;
      /** The end of the range, which is not part of it. */
      readonly before?: string | number;
    };

/** A bar that a user can select, if `answers` is there. */
interface Selectable {
  readonly answers?: BarAnswers;
}

/** A part of a drawing that selects answers. In px, from its upper left corner. */
export interface SelectableArea extends Required<Selectable> {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Horizontal bars with their texts above them. */
export interface Bars {
  readonly kind: 'bars';
  readonly bars: readonly (Selectable & { readonly label: string; readonly count: number; readonly share: number })[];
}

/** Horizontal bars of several groups for each answer. */
export interface GroupedBars {
  readonly kind: 'grouped-bars';
  /** Names of the groups. */
  readonly groups: readonly string[];
  readonly lines: readonly {
    readonly label: string;
    /** In the order of the groups. `count` is undefined if it is hidden. `share` is from 0 to 1. */
    readonly bars: readonly { readonly count: number | undefined; readonly share: number | undefined }[];
  }[];
}

/** Bars on a scale of numbers. */
export interface Histogram {
  readonly kind: 'histogram';
  readonly bins: readonly HistogramBar[];
  readonly mean: number | undefined;
  readonly median: number | undefined;
}

export interface HistogramBar extends Selectable {
  readonly from: number;
  /** The same as `from`, if the bar is for one number. */
  readonly to: number;
  readonly count: number;
  readonly tone?: 'good' | 'warn' | 'bad';
}

/** Vertical bars side by side. */
export interface Columns {
  readonly kind: 'columns';
  readonly columns: readonly (Selectable & { readonly label: string; readonly count: number })[];
}

export interface Timeline {
  readonly kind: 'timeline';
  /** In order of time. `time` is the wall clock of the viewer, as if it were UTC, in ms. */
  readonly points: readonly { readonly time: number; readonly started: number; readonly completed: number }[];
}

export interface Heatmap {
  readonly kind: 'heatmap';
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Indices of row and column. `share` is from 0 to 1. */
  readonly cells: readonly {
    readonly row: number;
    readonly column: number;
    readonly count: number;
    readonly share: number;
  }[];
}

/** Days as small squares: a column for each week. */
export interface Calendar {
  readonly kind: 'calendar';
  /** In order. `day` is YYYY-MM-DD. */
  readonly days: readonly (Selectable & { readonly day: string; readonly count: number })[];
}
