/** An exported survey. */
export interface ExportFile {
  readonly text: string;
  /** Names of the members that an import of the file does not restore. */
  readonly omitted: readonly string[];
}
