import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Identifies the column, if headers can be the same. Default: the header. */
  readonly id?: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at their end. */
  readonly align?: 'end';
}

interface Props<Row> {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A table that scrolls sideways where it does not fit. The first column is the header of each row. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="table-region" aria-label={caption} tabIndex={0}>
      <table className="table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ id, header, align }) => (
              <th key={id ?? header} scope="col" data-align={align}>
                <bdi className="clamped" title={header}>
                  {header}
                </bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ id, header, cell, align }, index) => {
                const Cell = index === 0 ? 'th' : 'td';
                return (
                  <Cell key={id ?? header} scope={index === 0 ? 'row' : undefined} data-align={align}>
                    {cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
