/** A released version, with a heading such as `## 0.2.0 - 2026-11-25` in CHANGELOG.md. */
interface Release {
  readonly version: string;
  /** The text below the heading, trimmed. */
  readonly notes: string;
}

const HEADING = /^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/;

export function readReleases(changelog: string): readonly Release[] {
  return changelog
    .split(/^(?=## )/m)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const version = HEADING.exec(heading)?.[1];
      return version === undefined ? undefined : { version, notes: lines.join('\n').trim() };
    })
    .filter((release) => release !== undefined);
}

/** The notes of a release. Throws if the changelog has none. */
export function notesOf(changelog: string, version: string): string {
  const notes = readReleases(changelog).find((release) => release.version === version)?.notes;
  if (!notes) throw new Error(`CHANGELOG.md has no notes for ${version}: add "## ${version} - YYYY-MM-DD"`);
  return notes;
}
