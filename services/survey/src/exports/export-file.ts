/** A survey as a file. */
export interface ExportFile {
  readonly text: string;
  /** Names of what an import of the file does not bring back. */
  readonly omitted: readonly string[];
}
