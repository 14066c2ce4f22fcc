import type { Response } from '../responses/response.ts';

/** How a file of responses is written: a beginning, a text for each response, and an end. */
export interface ExportFormat {
  readonly contentType: string;
  /** Ending of the file's name. */
  readonly extension: string;
  begin(): string;
  /** The responses of one chunk. */
  write(responses: readonly Response[]): AsyncIterable<string> | Iterable<string>;
  end(): string;
}
