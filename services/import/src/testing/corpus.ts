import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of another tool, as people have published it. */
export interface CorpusFile {
  readonly name: string;
  read(): Buffer;
}

const ROOT = process.env['SURVEY_CORPUS'] ?? join(import.meta.dirname, '../../../../../shared/corpus');

/** The files in a folder of the corpus; none where it is not there, which tests say in their names. */
export function corpusFiles(folder: string, ending = ''): readonly CorpusFile[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => ({ name, read: () => readFileSync(join(path, name)) }));
}
