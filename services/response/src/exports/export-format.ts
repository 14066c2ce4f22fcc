/** How a file of responses is written: a beginning, a text for each chunk of responses, and an end. */
export interface ExportFormat<R> {
  readonly contentType: string;
  /** Ending of the file's name. */
  readonly extension: string;
  begin(): string;
  write(responses: readonly R[]): string | Promise<string>;
  end(): string;
}
