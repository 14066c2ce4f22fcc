import { invalidImport } from '../../files/invalid-import.ts';
import type { AnswerColumn } from './answer-columns.ts';
import { codeOfWord, hasOwnWords, NO_ANSWER } from './own-words.ts';

/** Learns whether the words that LimeSurvey has for Yes, No, … are in a language that is known. */
interface WordSample {
  look(column: AnswerColumn, cell: string): void;
  /** Throws `INVALID_IMPORT` when none of those that were looked at is known for some type of question. */
  check(): void;
}

export function createWordSample(): WordSample {
  const known = new Set<string>();
  const unknown = new Map<string, string>();
  return {
    look({ kind, question }, cell) {
      // The comments on choices are columns of the same type.
      const isWord = kind === 'option' || (kind === 'value' && question.type === 'single_choice');
      if (cell === NO_ANSWER || !isWord || !hasOwnWords(question)) return;
      const { letter, options, sourceId } = question;
      const isOption = options.some(({ code, texts }) => code === cell || texts.includes(cell));
      if (isOption || codeOfWord(question, cell) !== undefined) known.add(letter);
      else if (!unknown.has(letter)) unknown.set(letter, sourceId);
    },
    check() {
      const errors = [...unknown]
        .filter(([letter]) => !known.has(letter))
        .map(([, question]) => ({
          path: '',
          code: 'UNKNOWN_WORDS',
          detail: `${question}: its cells have no word for Yes, No or a gender that is known; export the responses with answer codes`,
        }));
      if (errors.length > 0) throw invalidImport(errors);
    },
  };
}
