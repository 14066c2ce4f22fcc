import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A published file of another tool. */
export interface CorpusFile {
  readonly name: string;
  read(): Buffer;
}

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

/** Lists the files in a folder of the corpus; empty if the machine does not have the corpus. */
export function corpusFiles(folder: string, ending = ''): readonly CorpusFile[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => ({ name, read: () => readFileSync(join(path, name)) }));
}

/** Minimum common prefix of the names of a survey and its responses. */
const PREFIX_LENGTH = 6;

/** Whether a file can have the responses to the survey in another file, by name. */
export function areNamedAlike(one: { readonly name: string }, other: { readonly name: string }): boolean {
  return one.name.slice(0, PREFIX_LENGTH) === other.name.slice(0, PREFIX_LENGTH);
}

/** The format of a file, by its extension. */
export function formatOf({ name }: CorpusFile): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
