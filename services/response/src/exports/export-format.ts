/** Writes responses as a file: `begin`, then `write` for each chunk, then `end`. */
export interface ExportFormat<R> {
  readonly contentType: string;
  /** Extension of the filename, without a dot. */
  readonly extension: string;
  begin(): string;
  write(responses: readonly R[]): string | Promise<string>;
  end(): string;
}
