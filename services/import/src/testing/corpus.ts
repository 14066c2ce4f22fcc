import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of another tool, as people have published it. */
export interface CorpusFile {
  readonly name: string;
  read(): Buffer;
}

/** What is in a folder of the corpus. */
export const CORPUS_FOLDERS: readonly (readonly [folder: string, source: string])[] = [
  ['typeform', 'typeform'],
  ['surveymonkey', 'surveymonkey'],
  ['google-forms', 'google_forms'],
  ['qualtrics', 'qualtrics'],
  ['limesurvey', 'limesurvey'],
  ['surveyjs', 'surveyjs'],
  ['xlsform', 'xlsform'],
  ['kobo-odk-responses', 'xlsform'],
];

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

/** Characters that a survey and its responses have in common in their names. */
const ALIKE = 6;

/** Whether one of two files may have the responses to the survey in the other. */
export function areNamedAlike(one: { readonly name: string }, other: { readonly name: string }): boolean {
  return one.name.slice(0, ALIKE) === other.name.slice(0, ALIKE);
}

/** The format that a file is in, by its ending. */
export function formatOf({ name }: CorpusFile): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
